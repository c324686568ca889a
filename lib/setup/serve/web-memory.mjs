// @ts-check

/** Megabytes of JavaScript objects. */
const MAX_HEAP_MB = 1024
/** Next, the database and compression have a few threads, and separate heaps for them are mostly empty. */
const ARENAS = '2'

/**
 * Returns options that keep the production web server small: V8 collects later the more memory it may use. Existing
 * settings of node or glibc are kept.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ options: string[], env: { MALLOC_ARENA_MAX: string } }} options of node
 */
export function webMemory(env) {
  const isSet = /--max[-_]old[-_]space[-_]size/.test(env.NODE_OPTIONS ?? '')
  return {
    options: isSet ? [] : [`--max-old-space-size=${MAX_HEAP_MB}`],
    env: { MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? ARENAS },
  }
}
