// @ts-check

/** Megabytes of JavaScript objects. */
const MAX_HEAP_MB = 1024
/** Next, the database and compression have a few threads, and a heap of its own for each is mostly empty. */
const ARENAS = '2'

/**
 * How the production web server is started so that it stays small: the more V8 may take, the later it collects. What was
 * set for node or glibc already is left as it is.
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
