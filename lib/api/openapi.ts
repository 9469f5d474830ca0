export function openapi(): string {
  return '{"openapi":"3.1.0"}';
}
