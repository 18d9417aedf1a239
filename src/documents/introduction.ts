/** What a reader must know before any endpoint; the same for the API document and the reference. */
export const DESCRIPTION = `
Read-only: every operation is \`GET\`, every answer is about one organization, named by \`organizationId\`.

**Credentials.** Send \`x-client-id\` and \`x-client-secret\` with every request. They are bound to the organizations they
were made for. \`/openapi.json\` and \`/docs\` need none.

**Null** means that a figure cannot be calculated or is not available. It is never the same as 0.

**Numbers.** Money is in the store's currency, with 2 decimals. The points of a series are rounded one by one, so their sum
may differ from the rounded total. Ratios, shares and rates have 4 (0.52 is 52 %), percentages 2,
months, days and units 2 (\`velocity30d\` 4). Figures are rounded once, at the very end, half away from zero.

**Time.** Days of rows are UTC's; the analyses date an order by its store's own time zone where the settings name one.
Today is UTC's and still partial.

**Orders** count when they are paid for and not cancelled. A customer is new with the first order over all stores, known by
e-mail or by the store's own id; orders of nobody known count in revenue and orders alone. A basket that a store split into
several orders (\`order_group\`) is one purchase: none of them is a repeat order of another.

**Margin.** What multiplies revenue into contribution is the organization's configured margin, 100 % without one. Answers that
use it carry it.

**Lifetime value is to date.** \`ltv\` is the revenue of the period's new customers from their first order until now, whatever
the period's end. In \`previousPeriod\` of the cards \`ltv\` and \`retentionLtv\` are those of *everyone won before*
\`startDate\`, and in \`changes\` they compare everyone won up to \`endDate\` with that; \`clv\` and \`ltvCacRatio\` of
\`previousPeriod\` are those of the customers won in the previous period.

**Limit.** 100 requests in any 60 seconds per credential. \`X-RateLimit-Remaining\` is how many are left. An address that
sends 30 wrong credentials in 60 seconds is answered 429 instead of 401 until they are a minute old; good credentials from
the same address go on working.

**Versions.** The version is part of the path. Within it fields may be added, and parameters may be deprecated: an answer to
a request with one carries \`Deprecation\`.

**Errors** come as JSON with a message in Portuguese. A request too broken to be read is answered 400, 408 or 431.
`.trim();
