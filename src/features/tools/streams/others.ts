import type { RecordDeclaration } from "../../../core/contract/record.ts";
import { namesOf, streamsIn } from "../../../core/contract/stream.ts";
import { streamSets } from "./index.ts";

/**
 * Streams of the vendors that no record reads, though they have the columns of one that a record reads: a deal has an id
 * and properties like a contact, a draft has lines like an order.
 */
const NOT_READ: Readonly<Record<string, readonly string[]>> = {
  storeb: `abandoned_checkouts abandoned_checkout draft_orders draft_order articles article blogs blog pages page
    collections collection custom_collections custom_collection smart_collections smart_collection`.split(/\s+/),
  crm: `companies company deals deal deals_archived tickets ticket line_items line_item quotes quote leads lead
    orders order carts cart goals goal owners owner forms form campaigns campaign subscriptions invoices
    calls emails meetings notes tasks engagements engagements_calls engagements_emails engagements_meetings
    engagements_notes engagements_tasks email_events marketing_emails feedback_submissions workflows`.split(/\s+/),
};

/** Whether a folder has the name of a stream of the vendor that is not one of the record. */
export function isOtherStream(
  { connector, name }: Pick<RecordDeclaration, "connector" | "name">,
  folder: string,
): boolean {
  if (NOT_READ[connector]?.includes(folder)) return true;
  return streamSets.some(
    ({ record, root }) =>
      record.startsWith(`${connector}/`) &&
      record !== `${connector}/${name}` &&
      root.custom !== true &&
      streamsIn(root).some((stream) => namesOf(stream).includes(folder)),
  );
}
