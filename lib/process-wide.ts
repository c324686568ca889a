/**
 * Returns this process's single value of a name, created at the first request. Module variables are not unique: Next
 * loads modules once for pages and once for routes, so one would not see what the other stored.
 */
export function processWide<T>(name: string, make: () => T): T {
  const shared = globalThis as unknown as Record<string, T | undefined>
  const key = `proofboard: ${name}`
  shared[key] ??= make()
  return shared[key]
}
