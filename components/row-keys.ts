import { useState } from "react";

/** The keys of rows, by the ids of what they show. */
export type RowKeys = ReadonlyMap<string, number>;

/**
 * Keys for a table whose rows change all at once: what comes new is drawn in the rows of what has gone, for less than rows
 * drawn anew would cost. What stays keeps its row, and with it the keyboard's place.
 */
export function useRowKeys(ids: string[]): RowKeys {
  const [keys, setKeys] = useState<RowKeys>(() => nextKeys(new Map(), ids));
  if (isFor(keys, ids)) return keys;
  const next = nextKeys(keys, ids);
  setKeys(next);
  return next;
}

const isFor = (keys: RowKeys, ids: string[]) =>
  keys.size === new Set(ids).size && ids.every((id) => keys.has(id));

/** The keys for these ids after those for others. */
export function nextKeys(keys: RowKeys, ids: string[]): RowKeys {
  const staying = new Set(ids);
  const free = [...keys].filter(([id]) => !staying.has(id)).map(([, key]) => key);
  let unused = Math.max(-1, ...keys.values()) + 1;
  return new Map(ids.map((id) => [id, keys.get(id) ?? free.shift() ?? unused++]));
}
