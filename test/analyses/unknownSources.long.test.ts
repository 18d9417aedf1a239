import { expect } from "chai";
import { AURORA, DataFolder, exportsOf, oneStore, STOREA, storeaOrder } from "../support/data.ts";
import { openService } from "../support/service.ts";

const ORDERS = exportsOf(STOREA, "orders");
const HEAD = "order_id,status,value,creation_date,authorized_date,customer_id,email,coupon_code";
const row = (id: number, customer: string, email: string, coupon = "", more = ""): string =>
  `${id},invoiced,10,2025-02-0${id}T12:00:00Z,2025-02-0${id}T12:00:00Z,${customer},${email},${coupon}${more}`;

/** Answers over one store with these exports. */
async function answers<T>(
  files: Readonly<Record<string, string>>,
  work: (get: (address: string) => Promise<Record<string, unknown>>) => Promise<T>,
): Promise<T> {
  const data = await DataFolder.empty();
  try {
    await data.settings(oneStore());
    for (const [name, content] of Object.entries(files)) await data.write(`${ORDERS}/${name}`, content);
    await data.sync();
    const service = await openService(data.config, AURORA);
    try {
      return await work(async (address) => (await service.get(address)).body);
    } finally {
      await service.close();
    }
  } finally {
    await data.remove();
  }
}

const channelsOf = ({ data }: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries((data as Record<string, unknown>[]).map(({ orderId, channel }) => [String(orderId), channel]));

describe("The source of an order", function () {
  this.timeout(60_000);

  it("is unknown if its export cannot carry one, and direct if it is empty there [D15]", async () => {
    const files = {
      "without.csv": [HEAD, row(1, "1", "a@x.com")].join("\n"),
      "empty.csv": [`${HEAD},utm_source`, row(2, "2", "b@x.com", "", ",")].join("\n"),
      "google.csv": [`${HEAD},utm_source,utm_medium`, row(3, "3", "c@x.com", "", ",google,cpc")].join("\n"),
      "api.json": JSON.stringify([{ ...storeaOrder({ id: "4", value: 10 }), marketingData: null }]),
      "lines.json": JSON.stringify({
        order_id: "5",
        status: "invoiced",
        value: "10",
        creation_date: "2025-02-05T12:00:00Z",
        authorized_date: "2025-02-05T12:00:00Z",
      }),
    };
    await answers(files, async (get) => {
      expect(channelsOf(await get("/v1/profitability/orders"))).to.deep.equal({
        1: "unknown",
        2: "direct",
        3: "searchads",
        4: "direct",
        5: "unknown",
      });
      const period = "startDate=2025-02-01&endDate=2025-02-28";
      const { data } = await get(`/v1/acquisition/channels?${period}`);
      const unknown = (data as Record<string, unknown>[]).find(({ channel }) => channel === "unknown");
      expect(unknown).to.include({ label: "Desconhecido", orders: 2, newCustomers: 1, investment: 0 });
      const listed = (await get("/v1/profitability/orders?channel=unknown")).data as Record<string, unknown>[];
      expect(listed.map(({ orderId }) => orderId)).to.have.members(["1", "5"]);
      const points = (await get(`/v1/acquisition/new-customers?${period}`)).data as Record<
        string,
        Record<string, number>
      >[];
      expect(points.reduce((sum, { channels }) => sum + (channels?.unknown ?? 0), 0)).to.equal(1);
    });
  });
});

describe("A filler", function () {
  this.timeout(60_000);
  const FILLERS = [
    "0",
    "-1",
    "-",
    "nan",
    "None",
    "NULL",
    "NaT",
    "n/a",
    "#N/A",
    "\\N",
    "(null)",
    "undefined",
    "00000000-0000-0000-0000-000000000000",
    " nan ",
  ];

  it("is no customer, no coupon and no campaign, in each spelling [D5]", async () => {
    const rows = FILLERS.map((filler, no) =>
      [
        `f${no}`,
        "invoiced",
        10,
        "2025-02-01T12:00:00Z",
        "2025-02-01T12:00:00Z",
        filler,
        filler,
        filler,
        "google",
        "cpc",
        filler,
      ].join(","),
    );
    const guest = "g,invoiced,10,2025-02-01T12:00:00Z,2025-02-01T12:00:00Z,Guest,,guest,,,guest";
    const csv = [`${HEAD},utm_source,utm_medium,utm_campaign`, ...rows, guest].join("\n");
    await answers({ "a.csv": csv }, async (get) => {
      const { data } = await get("/v1/profitability/orders?limit=100");
      for (const order of data as Record<string, unknown>[]) {
        expect(order, String(order.orderId)).to.include({ customer: "anonymous", customerId: null });
        // Only an id of a guest is none.
        expect(order.coupon, String(order.orderId)).to.equal(order.orderId === "g" ? "GUEST" : null);
        expect(order.campaignName, String(order.orderId)).to.equal(order.orderId === "g" ? "guest" : null);
      }
      expect(await get("/v1/profitability/cards")).to.include({ orders: FILLERS.length + 1, newCustomers: 0 });
    });
  });
});
