import { expect } from "chai";
import { DataFolder } from "../support/data.ts";

const VTEX = (value: string): string =>
  `order_id,status,value,creation_date,authorized_date,email
1,invoiced,${value},2025-05-01T10:00:00Z,2025-05-01T10:00:00Z,a@x.com
2,invoiced,50.00,2025-05-02T10:00:00Z,2025-05-02T10:00:00Z,b@x.com
`;
const SHOPIFY = (value: string): string =>
  `Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Id
#1,a@x.com,paid,BRL,${value},0,0,${value},2025-05-01 10:00:00 -0300,1,Hat,${value},H,1
`;

describe("A file that is imported again", () => {
  for (const [what, connector, content] of [
    ["a table", "vtex", VTEX],
    ["a download", "shopify", SHOPIFY],
  ] as const)
    it(`lands again if another one has replaced its rows, and is known if its rows count: ${what}`, async function () {
      this.timeout(120_000);
      const data = await DataFolder.empty();
      try {
        await data.lucra([
          "organizations",
          "add",
          "--name",
          "T",
          "--currency",
          "BRL",
          "--integration",
          `${connector}:S`,
        ]);
        const [a, b] = [`${data.path}/A.csv`, `${data.path}/B.csv`];
        await data.write("A.csv", content("100.00"));
        await data.write("B.csv", content("150.00"));
        const landed = async (file: string): Promise<string> => {
          const { stdout } = await data.lucra(["import", file]);
          await data.lucra(["sync"]);
          return stdout;
        };
        const revenue = async (): Promise<string> =>
          (await data.lucra(["sql", "--query", "select revenue::double from orders where order_id like '%1'"])).stdout
            .trim()
            .split("\n")
            .at(-1) ?? "";
        await landed(a);
        await landed(b);
        expect(await revenue()).to.equal("150.0");
        expect(await landed(b)).to.match(/known {5}the same content has landed already, as B\.csv/);
        expect(await landed(a)).to.match(
          /note {6}the same content landed before, as A\.csv \(landing 1\), and 1 row of it was replaced by B\.csv \(landing 2\): it lands again/,
        );
        expect(await revenue()).to.equal("100.0");
        expect(await landed(a)).to.match(/known {5}the same content has landed already, as A-\w{8}\.csv/);
      } finally {
        await data.remove();
      }
    });
});

describe("A table of something else", () => {
  it("is not taken for a report because it has a day or a place", async function () {
    this.timeout(120_000);
    const data = await DataFolder.empty();
    try {
      const connectors = ["ga4:A", "meta:M", "google-ads:G"].flatMap((name) => ["--integration", name]);
      await data.lucra(["organizations", "add", "--name", "T", "--currency", "BRL", ...connectors]);
      for (const [name, content] of Object.entries({
        expenses: "Data,Despesa,Valor\n01/05/2025,Aluguel,1000\n13/05/2025,Luz,200\n",
        bank: "Date,Amount,Description,Balance\n2025-05-01,-10.00,Rent,90\n",
        weather: "date,city,temperature\n2025-05-01,Rio,30\n",
        calendar: "Data,Feriado\n2025-05-01,Trabalho\n",
      })) {
        await data.write(`${name}.csv`, content);
        const { status, stderr } = await data.lucra(["import", "--dry-run", `${data.path}/${name}.csv`]);
        expect([status, stderr], name).to.satisfy(
          ([code, text]: [number, string]) => code === 1 && /is not recognized/.test(text),
        );
      }
      await data.write("visits.csv", "Date,Sessions\n2025-05-01,10\n");
      const { stdout } = await data.lucra(["import", "--dry-run", `${data.path}/visits.csv`]);
      expect(stdout).to.match(/record {4}webanalytics\/customers/);
    } finally {
      await data.remove();
    }
  });
});
