/**
 * Returns the fields changed in a form since it was opened; others may have changed the rest in the meantime.
 * Returns all fields if `before` is undefined because the form was not valid when it was opened.
 */
export function changedIn<Values extends object>(
  values: Values,
  before: Values | undefined,
): Partial<Values> {
  const isChanged = (name: keyof Values) => JSON.stringify(values[name]) !== JSON.stringify(before?.[name]);
  const names = (Object.keys(values) as (keyof Values)[]).filter(isChanged);
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Values>;
}
