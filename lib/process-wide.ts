/**
 * What this process has once, made when it is first asked for by this name. A variable of a module is not that: Next loads
 * modules once for pages and once for routes, so that one would not see what the other stored.
 */
export function processWide<T>(name: string, make: () => T): T {
  const shared = globalThis as unknown as Record<string, T | undefined>
  const key = `proofboard: ${name}`
  shared[key] ??= make()
  return shared[key]
}
