const RUNS_TESTS =
  /(?:^|[\s/])(?:jest|vitest|mocha|ava|pytest|tsx|ts-node)(?=\s|$)|(?:^|\s)(?:npx|npm|pnpm|yarn|bun|deno|cargo|go|node|python3?)\s(?:[^|]{0,200}\s)?(?:-{0,2}test|unittest)\b/
const READS = /(?:^|\s)(?:cat|sed|head|tail|less|more|nl|awk|bat|grep|rg|od|xxd|strings)\s/

/** Splits shell input into commands; a pipe belongs to the command it starts from. */
export function listCommands(asks: string): string[] {
  return asks.split(/&&|\|\||[;\n]/).filter((one) => one.trim() !== '')
}

export function runsTests(command: string): boolean {
  return RUNS_TESTS.test(command)
}

/** True if the commands run tests and read no other file. */
export function runsTestsOnly(asks: string): boolean {
  const [first = '', ...others] = listCommands(asks).sort(
    (a, b) => Number(runsTests(b)) - Number(runsTests(a)),
  )
  return runsTests(first) && !others.some((one) => !runsTests(one) && READS.test(one))
}
