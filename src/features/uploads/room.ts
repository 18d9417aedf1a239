import { statfs } from "node:fs/promises";

/** A disk with less free space takes no more files: landing and deriving need it. */
const LEAST = { share: 0.1, bytes: 5_000_000_000 };

/** The free bytes of a disk, and all of them. */
export interface Room {
  readonly free: number;
  readonly total: number;
}

export async function roomOf(folder: string): Promise<Room> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** Whether a disk takes so many bytes more. */
export const hasRoom = ({ free, total }: Room, bytes: number): boolean =>
  free - bytes >= Math.max(LEAST.bytes, total * LEAST.share);
