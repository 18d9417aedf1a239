import { dictionary } from "../dictionary.ts";

export const people = dictionary(
  {
    list: "Quem tem acesso",
    nobody: "Ninguém ainda, além de quem cuida do servidor.",
    operators: "Quem cuida do servidor tem acesso a todas as organizações e não aparece na lista.",
    you: "(você)",
    roles: { viewer: "Leitor", admin: "Administrador" },
    may: { viewer: "vê os números", admin: "também muda as configurações" },
    make: { viewer: "Tornar leitor", admin: "Tornar administrador" },
    makeAsk: {
      viewer: (email: string) => `${email} deixará de ver e mudar as configurações.`,
      admin: (email: string) => `${email} poderá mudar as configurações, convidar e remover pessoas.`,
    },
    remove: "Remover",
    removeAsk: (email: string) => `${email} perde o acesso a esta organização agora.`,
    removeMe: "Você perde o acesso a esta organização agora.",
    invite: "Convidar alguém",
    inviteLead: "A pessoa recebe um e-mail com um link e um código, que valem 7 dias.",
    inviteLeadNoMail: "Este servidor não envia e-mails: o link e o código aparecem aqui uma vez, para você mandar.",
    inviteButton: "Convidar",
    email: "E-mail",
    role: "Papel",
    mailed: (email: string) => `O convite para ${email} está a caminho.`,
    noLink: (email: string) =>
      `${email} agora tem acesso. Nenhum link é mostrado, porque ele abriria também o que essa pessoa vê em outros lugares: quem cuida do servidor dá um com "lucra people link ${email}".`,
    linkOnce: (email: string) => `Mande este link a ${email}. Ele não aparece de novo.`,
    codeToo: "E este código, de preferência por outro caminho:",
    linkLasts: "O link funciona uma vez, por 7 dias. Quem tem os dois entra como essa pessoa.",
    linkLocal:
      "Este endereço só abre neste computador. Para convidar quem usa outro, quem cuida do servidor define o endereço dele (LUCRA_PUBLIC_URL).",
  },
  {
    list: "Who has access",
    nobody: "Nobody yet, besides who operates the server.",
    operators: "Whoever operates the server has access to all organizations and is not in the list.",
    you: "(you)",
    roles: { viewer: "Viewer", admin: "Admin" },
    may: { viewer: "sees the figures", admin: "also changes the settings" },
    make: { viewer: "Make viewer", admin: "Make admin" },
    makeAsk: {
      viewer: (email) => `${email} will no longer see and change the settings.`,
      admin: (email) => `${email} will be able to change the settings, and to invite and remove people.`,
    },
    remove: "Remove",
    removeAsk: (email) => `${email} loses the access to this organization now.`,
    removeMe: "You lose the access to this organization now.",
    invite: "Invite somebody",
    inviteLead: "The person gets a mail with a link and a code, which work for 7 days.",
    inviteLeadNoMail: "This server sends no mail: the link and the code are shown here once, for you to send.",
    inviteButton: "Invite",
    email: "E-mail",
    role: "Role",
    mailed: (email) => `The invitation to ${email} is on its way.`,
    noLink: (email) =>
      `${email} has access now. No link is shown, because it would also open what this person sees elsewhere: whoever operates the server gives one with "lucra people link ${email}".`,
    linkOnce: (email) => `Send this link to ${email}. It is not shown again.`,
    codeToo: "And this code, if possible in another way:",
    linkLasts: "The link works once, for 7 days. Whoever has both signs in as this person.",
    linkLocal:
      "This address opens on this computer only. To invite somebody who uses another one, the operator sets the server's address (LUCRA_PUBLIC_URL).",
  },
);
