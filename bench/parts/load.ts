import type { Service } from "../lab/service.ts";
import { type Times, timed, timesOf, together } from "../lab/timing.ts";
import { addressOf, questionsOf } from "../questions.ts";
import type { Shop } from "../shop/shop.ts";

export interface Load {
  readonly unloaded: Times;
  readonly loaded: Times;
}

const LIGHT = "/v1/acquisition/summary?startDate=2024-12-01&endDate=2024-12-30";
const HEAVY = 8;
const REQUESTS = 40;

/** A light request without other load, and while heavy ones run continuously. */
export async function measureLoad(service: Service, shop: Shop): Promise<Load> {
  const heavy = questionsOf(shop).filter(({ name }) => /category|categories/.test(name));
  const light = (): Promise<unknown> => service.computed(LIGHT);
  await light();
  const unloaded = await together(1, REQUESTS, light);
  let over = false;
  const work = Array.from({ length: HEAVY }, async (_, n) => {
    for (let turn = n; !over; turn++) await service.get(addressOf(heavy[turn % heavy.length] as (typeof heavy)[0]));
  });
  const taken: number[] = [];
  for (let n = 0; n < REQUESTS; n++) taken.push(await timed(light));
  over = true;
  await Promise.all(work);
  return { unloaded, loaded: timesOf(taken) };
}
