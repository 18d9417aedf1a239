import type { Service } from "../lab/service.ts";
import { type Times, timed, timesOf, together } from "../lab/timing.ts";

export interface Load {
  readonly unloaded: Times;
  readonly loaded: Times;
  readonly heavy: number;
}

const LIGHT = "/v1/acquisition/summary?startDate=2024-12-01&endDate=2024-12-30";
const HEAVY = 8;

/** A light request without other load, and while heavy ones run continuously. */
export async function measureLoad(service: Service, heavyAddress: (n: number) => string): Promise<Load> {
  const light = async (): Promise<void> => {
    const { status } = await service.get(LIGHT);
    if (status !== 200) throw new Error(`${LIGHT}: ${status}`);
  };
  await light();
  const unloaded = await together(1, 30, light);
  let over = false;
  let heavy = 0;
  const work = Array.from({ length: HEAVY }, async () => {
    while (!over) await service.get(heavyAddress(heavy++));
  });
  const taken: number[] = [];
  for (let n = 0; n < 30; n++) taken.push(await timed(light));
  over = true;
  await Promise.all(work);
  return { unloaded, loaded: timesOf(taken), heavy };
}
