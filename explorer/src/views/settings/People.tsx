import { useState } from "preact/hooks";
import { resume } from "../../api.ts";
import { Banner } from "../../components/Banner.tsx";
import { Copied } from "../../components/Copied.tsx";
import { add, ofOrganization, read, remove, replace } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { person } from "../../session.ts";
import { said } from "../../text.ts";
import { people as WORDS } from "../../words/later/people.ts";
import { Confirm, Form, Loaded, OnlyNow, Panel, Refused } from "./parts.tsx";

type Role = "viewer" | "admin";

interface Member {
  readonly email: string;
  readonly role: Role;
}

const pathOf = (email: string): string => ofOrganization(`people/${encodeURIComponent(email)}`);

/** Who has access to the organization, and invitations. */
export function People() {
  const words = said(WORDS);
  const resource = useResource<{ data: readonly Member[] }>(ofOrganization("people"));
  return (
    <>
      <Panel title={words.list}>
        <Loaded of={resource}>
          {({ data }) =>
            data.length === 0 ? (
              <p class="note">{words.nobody}</p>
            ) : (
              <ul class="settings-rows">
                {data.map((member) => (
                  <Row key={member.email} member={member} reload={resource.reload} />
                ))}
              </ul>
            )
          }
        </Loaded>
        <p class="note">{words.operators}</p>
      </Panel>
      <Invitation reload={resource.reload} />
    </>
  );
}

function Row({ member: { email, role }, reload }: { member: Member; reload: () => Promise<void> }) {
  const words = said(WORDS);
  const change = useChange();
  const isMe = email === person.value?.email;
  const other: Role = role === "admin" ? "viewer" : "admin";
  /** Changes what the list shows: one that changed meanwhile is shown again instead. */
  const act = async (work: (tag: string) => Promise<unknown>): Promise<void> => {
    await change.run(async () => {
      const { tag } = await read<Member>(pathOf(email));
      await work(tag);
    });
    await reload();
    // What the page offers follows from the own role.
    if (isMe) await resume();
  };
  return (
    <li>
      <div class="settings-row">
        <div class="settings-row-text">
          <strong>{email}</strong> {isMe && <span class="note">{words.you}</span>}
          <br />
          <span class="note">
            {words.roles[role]}: {words.may[role]}
          </span>
        </div>
        <div class="settings-actions">
          <Confirm
            text={words.make[other]}
            of={email}
            question={words.makeAsk[other](email)}
            isDisabled={change.isRunning}
            act={() => void act((tag) => replace(pathOf(email), { role: other }, tag))}
          />
          <Confirm
            text={words.remove}
            of={email}
            question={isMe ? words.removeMe : words.removeAsk(email)}
            isDisabled={change.isRunning}
            act={() => void act((tag) => remove(pathOf(email), tag))}
          />
        </div>
      </div>
      <Refused failure={change.failure} keep={change.forget} />
    </li>
  );
}

interface Invited {
  readonly invited: boolean;
  /** Only where no mail is set up, and of somebody who is new here. */
  readonly link?: string;
  readonly code?: string;
  readonly isRepeated?: boolean;
}

function Invitation({ reload }: { reload: () => Promise<void> }) {
  const words = said(WORDS);
  const change = useChange();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [made, setMade] = useState<(Invited & { readonly email: string }) | undefined>();
  const invite = async (): Promise<void> => {
    const to = email.trim().toLowerCase();
    setMade(undefined);
    const isDone = await change.run(async () => {
      setMade({ ...(await add<Invited>(ofOrganization("people"), { email: to, role })), email: to });
    });
    if (!isDone) return;
    setEmail("");
    await reload();
  };
  return (
    <Panel title={words.invite} lead={person.value?.mail ? words.inviteLead : words.inviteLeadNoMail}>
      {made && <Made made={made} />}
      <Form change={change} submit={() => void invite()} button={words.inviteButton}>
        <Refused failure={change.failure} />
        <div class="settings-fields">
          <label class="field">
            <span>{words.email}</span>
            <input
              name="email"
              type="email"
              value={email}
              required
              maxLength={254}
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => setEmail(currentTarget.value)}
            />
          </label>
          <label class="field is-short">
            <span>{words.role}</span>
            <select name="role" value={role} onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}>
              <option value="viewer">{words.roles.viewer}</option>
              <option value="admin">{words.roles.admin}</option>
            </select>
          </label>
        </div>
      </Form>
    </Panel>
  );
}

/** Whether an address means the machine on which it is opened. */
const isLoopback = (address: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);

/** What became of an invitation. A link is shown only now: nobody can read it again. */
function Made({ made: { email, invited, link, code } }: { made: Invited & { readonly email: string } }) {
  const words = said(WORDS);
  if (link)
    return (
      <OnlyNow>
        <p>
          <strong>{words.linkOnce(email)}</strong>
        </p>
        <Copied text={link} />
        {code && (
          <>
            <p>{words.codeToo}</p>
            <Copied text={`${code.slice(0, 4)}-${code.slice(4)}`} />
          </>
        )}
        <p>{words.linkLasts}</p>
        {isLoopback(link) && <p data-local>{words.linkLocal}</p>}
      </OnlyNow>
    );
  return <Banner tone={invited ? "good" : "info"}>{invited ? words.mailed(email) : words.noLink(email)}</Banner>;
}
