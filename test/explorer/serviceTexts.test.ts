import { expect } from "chai";
import { inEnglish } from "../../src/core/contract/english.ts";
import { ApiError, type ApiErrorKind } from "../../src/core/contract/error.ts";
import { answerTo, wording } from "../../src/core/contract/failures.ts";

Object.assign(globalThis, {
  location: { hash: "" },
  addEventListener: () => {},
  history: { pushState: () => {}, replaceState: () => {} },
  localStorage: { getItem: () => null, setItem: () => {} },
  ...("navigator" in globalThis ? {} : { navigator: { languages: ["pt-BR"] } }),
});
const { computingOf } = await import("../../explorer/src/serviceTexts.ts");

const KINDS: Record<Exclude<ApiErrorKind, "invalid" | "unauthorized">, true> = {
  forbidden: true,
  notFound: true,
  methodNotAllowed: true,
  notAcceptable: true,
  doesNotFit: true,
  tooMany: true,
  tooManyFailures: true,
  busy: true,
  damaged: true,
  underived: true,
  stateUnderived: true,
  stateBusy: true,
  stateElsewhere: true,
  stateFailed: true,
  storage: true,
  full: true,
  computing: true,
  tooLarge: true,
  timeout: true,
};
const PORTUGUESE = /[ãõçáéíóúâêô]|\b(?:não|deve|uma?|para)\b/i;

describe("The service's messages on the English page", () => {
  it("are translated, whatever fails", () => {
    for (const kind of Object.keys(KINDS)) {
      const message = String(answerTo(new ApiError(kind as "busy"), "id").body.message);
      expect(inEnglish(message), message).to.be.a("string").and.not.match(PORTUGUESE);
    }
    for (const error of [new Error("x"), Object.assign(new Error("x"), { status: 416 })]) {
      expect(inEnglish(String(answerTo(error, "id").body.message))).to.be.a("string");
    }
  });

  it("are translated, whatever parameter is wrong", () => {
    const messages = [
      wording.missing("startDate"),
      wording.unknown("startDate"),
      wording.unknown(undefined),
      wording.furtherUnknown(1),
      wording.furtherUnknown(3),
      wording.repeated,
      wording.together("endDate"),
      wording.order("startDate", "endDate"),
      wording.range("minOrders", "maxOrders"),
      wording.future,
      wording.tooLong(365),
      wording.nothingCompared,
      wording.tooEarly,
      wording.noPeriod,
      wording.personal,
      wording.knownAt,
      wording.knownLater,
      wording.knownBefore("2026-05-02T23:59:59.999Z"),
      wording.nothingKnown,
    ];
    for (const message of messages) expect(inEnglish(message), message).to.be.a("string").and.not.match(PORTUGUESE);
    expect(inEnglish(wording.order("startDate", "endDate"))).to.equal("startDate must not be after endDate.");
    expect(inEnglish("Limite de 100 requisições por minuto excedido.")).to.include("100 requests");
  });

  it("are left out if they are not known: the page has words of its own for each failure", () => {
    expect(inEnglish("Uma mensagem nova.")).to.equal(undefined);
  });

  it("of a forecast that is being computed, and of a state that is being derived, is no fault", () => {
    const computing = (kind: ApiErrorKind) => computingOf(String(answerTo(new ApiError(kind), "id").body.message));
    expect(computing("computing")).to.equal("computing");
    expect([computing("stateUnderived"), computing("stateBusy")]).to.deep.equal(["deriving", "deriving"]);
    expect([computing("busy"), computing("stateElsewhere"), computing("stateFailed")].filter(Boolean)).to.deep.equal(
      [],
    );
  });
});
