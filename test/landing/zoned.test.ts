import { expect } from "chai";
import { instantIn } from "../../src/core/time/zoned.ts";

describe("A local time", () => {
  for (const [zone, local, instant] of [
    ["UTC", "2025-01-15", "2025-01-15T00:00:00.000Z"],
    ["America/Sao_Paulo", "2025-01-15 10:00:05", "2025-01-15T13:00:05.000Z"],
    ["America/Sao_Paulo", "2018-11-03 23:59", "2018-11-04T02:59:00.000Z"],
    ["America/Sao_Paulo", "2018-11-04T01:00", "2018-11-04T03:00:00.000Z"],
    ["America/New_York", "2025-03-09 01:30", "2025-03-09T06:30:00.000Z"],
    ["America/New_York", "2025-03-09 03:30", "2025-03-09T07:30:00.000Z"],
    ["America/New_York", "2025-11-02 00:30", "2025-11-02T04:30:00.000Z"],
    ["America/New_York", "2025-11-02 02:30", "2025-11-02T07:30:00.000Z"],
    ["Asia/Kathmandu", "2025-01-15 00:00", "2025-01-14T18:15:00.000Z"],
  ] as const) {
    it(`is an instant of its zone: ${local} in ${zone}`, () => {
      expect(instantIn(local, zone)).to.equal(instant);
      // Again, from the remembered offsets.
      expect(instantIn(local, zone)).to.equal(instant);
    });
  }

  /** The first instant after the gap at this local time. */
  for (const [zone, local, instant] of [
    ["America/Asuncion", "2023-10-01", "2023-10-01T04:00:00.000Z"],
    ["America/Asuncion", "2023-10-01 00:30", "2023-10-01T04:00:00.000Z"],
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"],
    ["America/Sao_Paulo", "2017-10-15 00:59:59", "2017-10-15T03:00:00.000Z"],
    ["America/Campo_Grande", "2018-11-04", "2018-11-04T04:00:00.000Z"],
    ["America/Santiago", "2024-09-08", "2024-09-08T04:00:00.000Z"],
    ["America/Havana", "2024-03-10", "2024-03-10T05:00:00.000Z"],
    ["Atlantic/Azores", "2024-03-31", "2024-03-31T01:00:00.000Z"],
    ["America/New_York", "2025-03-09 02:30", "2025-03-09T07:00:00.000Z"],
    ["Africa/Cairo", "2024-04-26", "2024-04-25T22:00:00.000Z"],
    ["Asia/Beirut", "2024-03-31", "2024-03-30T22:00:00.000Z"],
    ["Pacific/Apia", "2011-12-30 12:00", "2011-12-30T10:00:00.000Z"],
  ] as const) {
    it(`that does not exist is the first instant after the gap: ${local} in ${zone}`, () => {
      expect(instantIn(local, zone)).to.equal(instant);
    });
  }

  it("is unchanged if it has a zone of its own, or is none", () => {
    for (const text of ["2025-01-15T10:00:00Z", "2025-01-15 10:00:00-03:00", "2025-13-01", "soon"])
      expect(instantIn(text, "America/Sao_Paulo")).to.equal(text);
  });
});
