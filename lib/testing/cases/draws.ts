/** Everything that is drawn by chance, as `npm run test:all` draws it: takes minutes. */
const isEveryDraw = process.env.PROOFBOARD_TEST_DRAWS === 'all'

/** How many draws a test makes: a part of them in every run, all in `npm run test:all`. */
export const countDraws = (all: number, part: number): number => (isEveryDraw ? all : part)
