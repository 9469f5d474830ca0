import { useState } from "react";

/** The keys of rows, by the ids of their items. */
export type RowKeys = ReadonlyMap<string, number>;

/**
 * Returns keys for a table whose rows change all at once. New items reuse the rows of removed ones, which is
 * cheaper than creating rows. Items that stay keep their row, and with it the focus.
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

/** Returns the keys for new ids, given the previous keys. */
export function nextKeys(keys: RowKeys, ids: string[]): RowKeys {
  const staying = new Set(ids);
  const free = [...keys].filter(([id]) => !staying.has(id)).map(([, key]) => key);
  let unused = Math.max(-1, ...keys.values()) + 1;
  return new Map(ids.map((id) => [id, keys.get(id) ?? free.shift() ?? unused++]));
}
