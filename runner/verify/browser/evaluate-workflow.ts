import type { Assertion, ContractResult } from '#lib/domain/record/index.ts'
import type { AssertionSpec } from '#lib/domain/tasks/index.ts'
import {
  judgeAttribute,
  judgeCount,
  judgeDownload,
  judgeNetwork,
  judgeNoDialog,
  judgeStorage,
  judgeText,
  judgeUrl,
} from './judge-assertions.ts'
import { judgeState } from './judge-state.ts'
import type { JudgedAssertion } from './judged.ts'
import { allOf, anyOf, cutCounted, notOf } from './judged.ts'
import type { FinalState } from './page-reader.ts'

const LABEL_CHARS = 300
const TEXT_CHARS = 4000

type Group = Extract<AssertionSpec, { kind: 'all' | 'any' }>
type Opposite = Extract<AssertionSpec, { kind: 'not' }>
type Leaf = Exclude<AssertionSpec, Group | Opposite>

/**
 * Evaluates a workflow contract on the final state of the app and the page. Checks everything, even after the first
 * failure; unreadable state is inconclusive and stays so under `not`.
 */
export async function evaluateWorkflow(
  contract: readonly AssertionSpec[],
  final: FinalState,
): Promise<ContractResult> {
  const assertions = await judgeEach(contract, final)
  return {
    verdict: allOf(assertions.map(({ verdict }) => verdict)),
    assertions,
    expectedTests: null,
    executedTests: null,
    passedTests: null,
  }
}

/** Sequential, because they share one page. */
async function judgeEach(specs: readonly AssertionSpec[], final: FinalState) {
  const assertions: Assertion[] = []
  for (const spec of specs) assertions.push(await judge(spec, final))
  return assertions
}

async function judge(spec: AssertionSpec, final: FinalState): Promise<Assertion> {
  if (!('of' in spec)) return assertionOf(spec, await judgeLeaf(spec, final), [])
  return spec.kind === 'not' ? judgeOpposite(spec, final) : judgeGroup(spec, final)
}

async function judgeGroup(spec: Group, final: FinalState): Promise<Assertion> {
  const children = await judgeEach(spec.of, final)
  const verdicts = children.map(({ verdict }) => verdict)
  const passed = verdicts.filter((verdict) => verdict === 'pass').length
  const unknown = verdicts.filter((verdict) => verdict === 'inconclusive').length
  const judged = {
    expected: `${spec.kind === 'all' ? 'all' : 'at least one'} of ${children.length} hold`,
    observed: `${passed} hold${unknown > 0 ? `, ${unknown} could not be decided` : ''}`,
    verdict: spec.kind === 'all' ? allOf(verdicts) : anyOf(verdicts),
  }
  return assertionOf(spec, judged, children)
}

async function judgeOpposite(spec: Opposite, final: FinalState): Promise<Assertion> {
  const child = await judge(spec.of, final)
  const judged = {
    expected: `not: ${child.expected}`,
    observed: child.observed,
    verdict: notOf(child.verdict),
  }
  return assertionOf(spec, judged, [child])
}

async function judgeLeaf(spec: Leaf, final: FinalState): Promise<JudgedAssertion> {
  switch (spec.kind) {
    case 'state':
      return judgeState(spec, final.state)
    case 'url':
      return await judgeUrl(spec, final)
    case 'text':
      return await judgeText(spec, final.page)
    case 'count':
      return await judgeCount(spec, final.page)
    case 'attribute':
      return await judgeAttribute(spec, final.page)
    case 'network':
      return judgeNetwork(spec, final.requests)
    case 'download':
      return await judgeDownload(spec, final.page)
    case 'storage':
      return await judgeStorage(spec, final.page)
    case 'no-dialog':
      return await judgeNoDialog(final.page)
  }
}

function assertionOf(
  spec: AssertionSpec,
  judged: JudgedAssertion,
  children: Assertion[],
): Assertion {
  return {
    kind: spec.kind,
    label: cutCounted(spec.label ?? judged.expected, LABEL_CHARS),
    expected: cutCounted(judged.expected, TEXT_CHARS),
    observed: cutCounted(judged.observed, TEXT_CHARS),
    verdict: judged.verdict,
    children,
  }
}
