import type { Assertion, ContractResult } from '#lib/domain/contract.ts'
import type { TamperFinding } from '#lib/domain/tamper-finding.ts'
import type { Gate, GateReport } from '../contracts/exercise/gate-types.ts'
import { gateInput } from '../suites/complete-task.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'
import type { CollectedSolution } from './collect-solution.ts'
import { describeReport } from './describe-report.ts'

export type Evaluation = {
  contract: ContractResult
  findings: TamperFinding[]
  log: string
  exit: { code: number | null; signal: string | null }
  report: GateReport | null
}

/** Phase 4: the official gate, types and tests, in a fresh place that receives only the solution's text. */
export async function evaluateContract(
  task: LoadedExercise,
  solution: CollectedSolution,
  gate: Gate,
  signal: AbortSignal,
): Promise<Evaluation> {
  const absent: Assertion[] = solution.missing.map((path) => ({
    kind: 'file',
    label: `solution file ${path}`,
    expected: 'a regular file',
    observed: 'missing',
    verdict: 'fail',
    children: [],
  }))
  if (absent.length > 0 || solution.findings.length > 0)
    return withoutGate(task, absent, solution.findings)
  const report = await gate.evaluate(
    gateInput(task, solution.files, task.task.expectedTests),
    signal,
  )
  const contract: ContractResult = {
    verdict: report.verdict,
    assertions: describeReport(report, task.task),
    expectedTests: task.task.expectedTests.length,
    executedTests: report.tests.passed + report.tests.failed,
    passedTests: report.tests.passed,
  }
  const exit = { code: report.tests.exitCode, signal: report.tests.signal }
  return { contract, findings: [...report.findings], log: report.log, exit, report }
}

function withoutGate(
  task: LoadedExercise,
  assertions: Assertion[],
  findings: TamperFinding[],
): Evaluation {
  const links: Assertion[] = findings.map(({ detail }) => ({
    kind: 'file',
    label: detail,
    expected: 'a regular file',
    observed: 'a link',
    verdict: 'fail',
    children: [],
  }))
  const all = [...assertions, ...links]
  return {
    contract: {
      verdict: 'fail',
      assertions: all,
      expectedTests: task.task.expectedTests.length,
      executedTests: 0,
      passedTests: 0,
    },
    findings,
    log: all.map(({ label, observed }) => `FAIL ${label}: ${observed}\n`).join(''),
    exit: { code: null, signal: null },
    report: null,
  }
}
