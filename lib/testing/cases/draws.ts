/** Set by `npm run test:all`, which makes all random draws and takes minutes. */
const isEveryDraw = process.env.PROOFBOARD_TEST_DRAWS === 'all'

/** Number of draws of a test: `part` normally, `all` in `npm run test:all`. */
export const countDraws = (all: number, part: number): number => (isEveryDraw ? all : part)
