/** The ways of paying that an order's payment is of [D88]. `other`: any other, and names that nothing knows. */
export const PAYMENT_GROUPS = ["pix", "boleto", "credit_card", "debit_card", "wallet", "gift_card", "other"] as const;

export type PaymentGroup = (typeof PAYMENT_GROUPS)[number];
