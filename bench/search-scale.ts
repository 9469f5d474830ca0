import type { Flags } from "./flags.ts";
import type { SearchData } from "./search-data.ts";
export async function measureScale(_url: string, _data: SearchData, _flags: Flags): Promise<{ isSlow: boolean }> {
  return { isSlow: false };
}
