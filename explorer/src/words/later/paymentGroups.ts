import { bare, dictionary } from "../dictionary.ts";

/** The ways of paying, by the names that the service has for them. */
export const paymentGroups = dictionary(
  bare({
    groups: {
      pix: "Pix",
      boleto: "Boleto",
      credit_card: "Cartão de crédito",
      debit_card: "Cartão de débito",
      wallet: "Carteira digital",
      gift_card: "Vale-presente",
      other: "Outros",
    } as Readonly<Record<string, string>>,
  }),
  bare({
    groups: {
      pix: "Pix",
      boleto: "Boleto",
      credit_card: "Credit card",
      debit_card: "Debit card",
      wallet: "Digital wallet",
      gift_card: "Gift card",
      other: "Others",
    },
  }),
);
