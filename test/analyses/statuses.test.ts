import { expect } from "chai";
import { literal } from "../../src/core/engine/database.ts";
import { AURORA, exportsOf, oneStore, STOREA, STOREB, withData } from "../support/data.ts";
import { Laboratory, Landed } from "../support/exports.ts";

const AT = "2025-02-10T14:00:00Z";

describe("Portuguese statuses of orders in tables [D3]", () => {
  let laboratory: Laboratory;

  before(async () => {
    laboratory = await Laboratory.open();
  });

  /** Of orders with these statuses: each status as exported, whether a rule knows it, and why the order does not count. */
  async function judged(connector: "storea" | "storeb", rows: readonly string[]): Promise<string[]> {
    const [integration, heading] =
      connector === "storea"
        ? [STOREA, "order_id,creation_date,authorized_date,value,status"]
        : [STOREB, "order_id,created_at,processed_at,total_price,financial_status"];
    const lines = rows.map((status, no) => `o${no},${AT},${AT},10,${status}`);
    const settings = { ...oneStore(), integrations: [{ id: integration, connector, name: "x" }] };
    let found: string[] = [];
    await withData(settings, async (data) => {
      await data.write(`${exportsOf(integration, "orders")}/a.csv`, [heading, ...lines].join("\n"));
      await data.sync();
      const { folder } = await new Landed(laboratory.database, data.path).generation(AURORA);
      found = await laboratory.database.use((session) =>
        session.texts(
          `select concat_ws(' ', status || ':', coalesce(exclusion_reason, 'counts'), if(is_known, null, 'unknown'))
            from read_parquet(${literal(`${folder}/order_statuses.parquet`)}) order by status`,
        ),
      );
    });
    return found;
  }

  it("count as the platform's own statuses, and stay as exported (storea)", async () => {
    const statuses = [
      "Cancelado",
      " cancelada ",
      "Anulado",
      "Substituído",
      "Cancelamento solicitado",
      "pago",
      "Faturado",
      "preparando-entrega",
      "PREPARANDO ENTREGA",
      "Devolvido",
      "reembolsado",
      "pendente",
      "Concluída",
      "finalizado",
      "Completed",
      "separado",
    ];
    expect((await judged("storea", statuses)).sort()).to.deep.equal(
      [
        "Cancelado: cancelled",
        " cancelada : cancelled",
        "Anulado: cancelled",
        "Substituído: replaced",
        "Cancelamento solicitado: counts",
        "pago: counts",
        "Faturado: counts",
        "preparando-entrega: counts",
        "PREPARANDO ENTREGA: counts",
        "Devolvido: counts",
        "reembolsado: counts",
        "Concluída: counts",
        "finalizado: counts",
        "Completed: counts",
        // Like payment-pending: the order has the date of an authorization.
        "pendente: counts",
        "separado: counts unknown",
      ].sort(),
    );
  });

  it("count as the platform's own statuses, and stay as exported (storeb)", async () => {
    const done = ["Concluído", "concluida", "PEDIDO CONCLUÍDO", "Finalizado", "Completed"];
    const statuses = [
      ...["Pago", "parcialmente_pago", "Reembolsado", "Devolvido", "Pendente", "Cancelado", "faturado"],
      ...done,
    ];
    expect((await judged("storeb", statuses)).sort()).to.deep.equal(
      [
        "Pago: counts",
        "parcialmente_pago: counts",
        "Reembolsado: counts",
        "Devolvido: counts",
        "Pendente: unpaid",
        "Cancelado: unpaid",
        ...done.map((status) => `${status}: counts`),
        // An invoice is no financial status.
        "faturado: unpaid unknown",
      ].sort(),
    );
  });
});
