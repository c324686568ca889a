/** A solution that does not solve its task but tries to look as if it did. */
export type Attack = {
  name: string
  /** Body of the one test; `answer` is what the solution exports. */
  body: string
  solution: string
  /** The finding it must leave; without one, failing the test is enough. */
  finding?: string
}

/** The assertion most attacks are after. */
export const IS_42 = 'expect(answer()).toBe(42)'
/** A solution that would fail it. */
export const WRONG = 'export const answer = () => 41'
