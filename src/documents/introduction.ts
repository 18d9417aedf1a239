/** Text about all endpoints; the same for the API document and the reference. */
export const DESCRIPTION = `
Read-only: every operation is \`GET\`, every answer is about one organization, which \`organizationId\` names;
\`/v1/organizations\` lists them.

**Credentials.** Send the headers \`x-client-id\` and \`x-client-secret\` with every request, or \`Authorization: Basic\` with the
id as the user and the secret as the password, or \`Authorization: Bearer <id>.<secret>\`. If one of the two headers is sent,
\`Authorization\` is not read. Credentials are bound to the organizations they were created for. \`/openapi.json\` and \`/docs\`
need no credentials.

**Null** means that a figure cannot be calculated or is not available. It never means 0.

**Numbers.** Money is in the store's currency, with 2 decimals. Each point of a series is rounded, so their sum may
differ from the rounded total. Ratios, shares and rates have 4 decimals (0.52 is 52 %); percentages, months, days and units
have 2 (\`velocity30d\` 4). Figures are rounded once, at the very end, half away from zero.

**Time.** Days of rows are in UTC; the analyses date an order in its store's time zone if the settings name one. Today is in
UTC and still partial.

**Incomplete data.** If landed files are lost on the server, an answer without their rows has the header
\`X-Incomplete-Records\`, which names their records.

**Orders** count when they are paid for and not cancelled. A customer, identified by e-mail or by the store's own id, is new
with the first order over all stores; orders without a customer count only in revenue and orders. A basket that a store split
into several orders (\`order_group\`) is one purchase: its orders are not repeat orders of each other.

**Margin.** Contribution is revenue × the organization's configured margin, or 100 % without one. Answers that use the margin
carry it.

**Lifetime value is to date.** \`ltv\` is the revenue of the period's new customers from their first order until now, whatever
the period's end. In \`previousPeriod\` of the cards, \`ltv\` and \`retentionLtv\` are those of *everyone acquired before*
\`startDate\` (with \`compare\`: up to the last day of the period compared with); in \`changes\` they compare everyone acquired up
to \`endDate\`, which is the \`ltv\` of a request with \`startDate=0001-01-01\`, with these; \`clv\` and \`ltvCacRatio\` of
\`previousPeriod\` are those of the customers acquired in that period.

**Limit.** 100 requests in any 60 seconds per credential. \`X-RateLimit-Remaining\` is the number left. \`Retry-After\` of a
429 is always 60: after that the whole limit is free again. The next single request is accepted at \`X-RateLimit-Reset\`
(seconds since 1970), when the oldest one leaves the window. An address that
sends 30 wrong credentials in 60 seconds gets 429 instead of 401 until they are a minute old; good credentials from the same
address still work.

**Names.** Those of parameters are part of version 1, and differ between families: a period is \`startDate\`, \`endDate\` in
analyses, \`dateFrom\`, \`dateTo\` in products, and \`dateStart\`, \`dateEnd\` or the record's own dates in rows; a page is \`page\` and
\`limit\`, in products \`page\` and \`pageSize\`; an order is \`orderBy\` and \`orderDirection\`, in products \`sortBy\` and
\`sortOrder\`. Values of \`breakBy\` are Portuguese, those of \`strategy\` English. A name of another family is an error, except in the
row endpoints, whose answers name it in \`X-Ignored-Parameters\`. A \`limit\` above the maximum is the maximum, which \`meta\` shows.

**Versions.** The version is part of the path. Within a version, fields may be added and parameters may be deprecated: the
answer to a request with a deprecated parameter has the header \`Deprecation\`.

**Errors** are JSON. The status is the stable code: \`message\` is for people, in Portuguese whatever \`Accept-Language\` says, and
may change; \`error\` is the status in English. All have \`message\`, a 401 nothing else; a 400 has \`details\` with the \`parameter\`
of each fault, a 429 also \`statusCode\` and \`retryAfter\`, a 500 a \`requestId\`. A request too malformed to be read gets 400, 408 or 431.
`.trim();
