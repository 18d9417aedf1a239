import { expect } from "chai";
import fc from "fast-check";
import { FileError } from "../../src/core/landing/bytes/scan.ts";
import { type Cell, type CellKind, FormatSurvey } from "../../src/core/landing/read/formats.ts";
import type { ReadSettings } from "../../src/core/landing/read/part.ts";

/** Reads the cells of a column as one file. */
function read(kind: CellKind, cells: readonly Cell[], settings: ReadSettings = {}, amounts: string[] = []): string[] {
  return readBy(new FormatSurvey(settings), kind, cells, amounts);
}

function readBy(survey: FormatSurvey, kind: CellKind, cells: readonly Cell[], amounts: string[] = []): string[] {
  for (const cell of cells) survey.add(kind, cell, "column");
  for (const cell of amounts) survey.add("number", cell, "amount");
  const formats = survey.decide();
  return cells.map((cell) => formats.cell(kind, cell));
}

const refusal = (...of: Parameters<typeof read>): string => {
  try {
    read(...of);
  } catch (error) {
    expect(error).to.be.instanceOf(FileError);
    return (error as Error).message;
  }
  throw new Error("was read");
};

/** A whole number of units of the last decimal, written in a locale. */
function written(units: number, locale: "pt-BR" | "en", hasGroups: boolean, decimals: number): string {
  const [whole = "", fraction] = exactly(units, decimals).split(".");
  const [point, mark] = locale === "en" ? [".", ","] : [",", "."];
  const grouped = hasGroups ? whole.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, mark) : whole;
  return fraction === undefined ? grouped : `${grouped}${point}${fraction}`;
}

function exactly(units: number, decimals: number): string {
  const digits = String(Math.abs(units)).padStart(decimals + 1, "0");
  const whole = `${units < 0 ? "-" : ""}${digits.slice(0, digits.length - decimals)}`;
  return decimals > 0 ? `${whole}.${digits.slice(-decimals)}` : whole;
}

describe("The numbers of a file", () => {
  it("are read by those that read in one way only", () => {
    expect(read("number", ["1.234", "99,90"])).to.deep.equal(["1234", "99.90"]);
    expect(read("number", ["1,234", "99.90"])).to.deep.equal(["1234", "99.90"]);
    expect(read("number", ["1.234.567", "1,5"])).to.deep.equal(["1234567", "1.5"]);
    expect(read("number", [" 1.234,56 ", "-1.000"])).to.deep.equal(["1234.56", "-1000"]);
    expect(read("number", ["0.123", "1.234"])).to.deep.equal(["0.123", "1.234"]);
    expect(read("number", ["12", "1e3", ""])).to.deep.equal(["12", "1e3", ""]);
  });

  it("may have the sign of the organization's currency, and of no other", () => {
    const amounts = ["R$ 1.250,00", "R$\u00a080,50", "-R$ 3,00", "R$ -4", "R$", "US$ 5,00", "Total R$ 5,00"];
    expect(read("number", amounts, { currency: "BRL" })).to.deep.equal([
      "1250.00",
      "80.50",
      "-3.00",
      "-4",
      "R$",
      "US$ 5,00",
      "Total R$ 5,00",
    ]);
    expect(read("number", ["R$ 5,00"], { currency: "USD" })).to.deep.equal(["R$ 5,00"]);
  });

  it("of a spreadsheet's own type decide nothing", () => {
    expect(read("number", [1.234, "1,5"])).to.deep.equal(["1.234", "1.5"]);
    expect(refusal("number", [99.9, "1.234"])).to.contain('"1.234"');
  });

  it("that read in two ways only are refused, unless the settings say how", () => {
    expect(refusal("number", ["1.234", "5"])).to.equal(
      'has only numbers that read in two ways, such as "1.234": set "numbers" of its integration to "pt-BR" (1234) or to "en" (1.234)',
    );
    expect(read("number", ["1.234", "5"], { numbers: "pt-BR" })).to.deep.equal(["1234", "5"]);
    expect(read("number", ["1.234", "5"], { numbers: "en" })).to.deep.equal(["1.234", "5"]);
  });

  it("in two formats are refused, whatever the settings say", () => {
    for (const settings of [{}, { numbers: "en" }, { numbers: "pt-BR" }] as const) {
      const reason = refusal("number", ["1", "99.90", "1.234", "99,90"], settings);
      expect(reason).to.contain('"99.90"').and.to.contain('"99,90"');
    }
  });

  it("in two formats are refused, also if the last one was cut behind its first digit", () => {
    expect(refusal("number", ["1.234,56", "3.041", "2."]))
      .to.contain('"2."')
      .and.to.contain('"1.234,56"');
    expect(read("number", ["1.234,56", "3.041", "2,"])).to.deep.equal(["1234.56", "3041", "2."]);
  });

  it("leave a text that is none to the check of the rows", () => {
    expect(read("number", ["- ", "n/a", "1.2.3", "12,34,56", "1,5"])).to.deep.equal([
      "- ",
      "n/a",
      "1.2.3",
      "12,34,56",
      "1.5",
    ]);
  });

  it("are read exactly or refused, in any format", () => {
    const amount = fc.integer({ min: -1e9, max: 1e9 });
    const locale = fc.constantFrom("pt-BR", "en");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(amount, fc.boolean(), fc.constantFrom(0, 1, 2, 3)), { minLength: 1, maxLength: 20 }),
        locale,
        (amounts, locale) => {
          const cells = amounts.map(([units, groups, decimals]) => written(units, locale, groups, decimals));
          const exact = amounts.map(([units, , decimals]) => exactly(units, decimals));
          let found: string[];
          try {
            found = read("number", cells);
          } catch (error) {
            expect(error).to.be.instanceOf(FileError);
            expect(read("number", cells, { numbers: locale })).to.deep.equal(exact);
            return;
          }
          expect(found).to.deep.equal(exact);
        },
      ),
    );
  });
});

describe("The dates of a file", () => {
  it("are read by those that read in one way only", () => {
    expect(read("date", ["01/02/2025", "31/01/2025"])).to.deep.equal(["2025-02-01", "2025-01-31"]);
    expect(read("date", ["01/02/2025", "01/31/2025 2:30 PM"])).to.deep.equal(["2025-01-02", "2025-01-31T14:30:00"]);
    expect(read("date", ["31/01/2025 09:05:07 -0300", "1.2.2025 10:00"])).to.deep.equal([
      "2025-01-31T09:05:07-0300",
      "2025-02-01T10:00:00",
    ]);
    expect(read("date", ["2025-01-02", "2025/1/2", "02/02/2025", "soon"])).to.deep.equal([
      "2025-01-02",
      "2025-01-02",
      "2025-02-02",
      "soon",
    ]);
  });

  it("begin with the day next to decimal commas, which decimal points leave open", () => {
    expect(read("date", ["01/02/2025"], {}, ["1,5"])).to.deep.equal(["2025-02-01"]);
    expect(refusal("date", ["01/02/2025"], {}, ["1.5"]))
      .to.contain("(2025-02-01)")
      .and.to.contain("(2025-01-02)");
    expect(read("date", ["01/02/2025"], { numbers: "en" }, ["1.5"])).to.deep.equal(["2025-01-02"]);
    expect(read("date", ["01/02/2025"], { numbers: "pt-BR" }, ["1.5"])).to.deep.equal(["2025-02-01"]);
  });

  it("in two orders are refused", () => {
    expect(refusal("date", ["31/01/2025", "01/31/2025"])).to.contain('"31/01/2025" and "01/31/2025"');
  });

  it("are read exactly or refused, in either order", () => {
    const date = fc.date({ min: new Date("1950-01-01"), max: new Date("2150-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(fc.array(date, { minLength: 1, maxLength: 10 }), fc.boolean(), (dates, isDayFirst) => {
        const days = dates.map((one) => one.toISOString().slice(0, 10));
        const cells = days.map((day) => {
          const [year, month, dayOfMonth] = day.split("-");
          return isDayFirst ? `${dayOfMonth}/${month}/${year}` : `${month}/${dayOfMonth}/${year}`;
        });
        try {
          expect(read("date", cells)).to.deep.equal(days);
        } catch (error) {
          expect(error).to.be.instanceOf(FileError);
          expect(read("date", cells, { numbers: isDayFirst ? "pt-BR" : "en" })).to.deep.equal(days);
        }
      }),
    );
  });
});

describe("The ids of a file", () => {
  it("that a spreadsheet has shortened refuse it", () => {
    for (const id of ["1,2021E+17", "1.2021E+17", "1,2E+10", "120330000000001000", "1203300000000010"]) {
      expect(refusal("id", ["5", id])).to.contain(`"${id}" in column column`);
    }
    const long = "3".repeat(100_000);
    expect(refusal("id", [`1.${long}E+17`])).to.have.lengthOf.below(300);
    expect(refusal("number", [`${long}.5`, `${long},5`])).to.have.lengthOf.below(500);
    expect(read("id", ["120330000000001000", "120330000000001234", "1E5X", "100000000000000"])).to.have.lengthOf(4);
  });
});

describe("The instants of a file", () => {
  const settings = { timezone: "America/Sao_Paulo" };

  it("without an offset are in the time zone of the account, as days or as a person writes them", () => {
    expect(
      read("instant", ["31/10/2026", "2026-10-31", "31/10/2026 22:45", "2026/10/31 22:45"], settings),
    ).to.deep.equal([
      "2026-10-31T03:00:00.000Z",
      "2026-10-31T03:00:00.000Z",
      "2026-11-01T01:45:00.000Z",
      "2026-11-01T01:45:00.000Z",
    ]);
    expect(read("instant", ["31/10/2026", "2026-10-31"])).to.deep.equal(["2026-10-31", "2026-10-31"]);
  });

  it("keep their offset, and are in UTC as ISO 8601 with a time", () => {
    const cells = ["2026-10-31T22:45:00", "2026-10-31 22:45:00", "2026-10-31T22:45:00-04:00", "x"];
    expect(read("instant", cells, settings)).to.deep.equal(cells);
    expect(read("instant", ["31/10/2026 22:45 -04:00"], settings)).to.deep.equal(["2026-10-31T22:45:00-04:00"]);
  });

  it("of a workbook are in the time zone of the account", () => {
    const survey = new FormatSurvey(settings, true);
    expect(readBy(survey, "instant", ["2026-10-31T22:45:00"])).to.deep.equal(["2026-11-01T01:45:00.000Z"]);
  });
});
