import { readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Assertion, ContractResult, TamperFinding } from '#lib/domain/record/index.ts'
import { assertion } from '../assertion.ts'
import { leadsOut } from '../repository/tree.ts'
import { verifierInput } from '../suites/complete-task.ts'
import type { LoadedExercise, SourceText } from '../suites/task-folder.ts'
import type { ExerciseVerifier, VerifierReport } from '../verify/exercise/verifier-types.ts'
import { describeReport } from './describe-report.ts'
import { judgeTwice } from './judge-twice.ts'
import { readPlainFile } from './read-plain-file.ts'

/** The submitted solution and the contract's result; no evaluation if the run was stopped. */
export type Verified = { solution: CollectedSolution; evaluation: ContractEvaluation | null }

/** Phase 4: collects the declared solution from the workspace and judges it. `skip` only collects it. */
export async function verifyWork(
  task: LoadedExercise,
  workspace: string,
  deps: { verifier: ExerciseVerifier; signal: AbortSignal },
  skip: boolean,
): Promise<Verified> {
  const { verifier, signal } = deps
  const solution = await collectSolution(task, workspace)
  if (skip || signal.aborted) return { solution, evaluation: null }
  const evaluate = () => evaluateContract(task, solution, verifier, signal)
  return { solution, evaluation: await judgeTwice(evaluate, signal) }
}

export type ContractEvaluation = {
  contract: ContractResult
  findings: TamperFinding[]
  log: string
  exit: { code: number | null; signal: string | null }
  report: VerifierReport | null
}

/** Phase 4: runs the verifier, types and tests, in a fresh place that receives only the solution's text. */
export async function evaluateContract(
  task: LoadedExercise,
  solution: CollectedSolution,
  verifier: ExerciseVerifier,
  signal: AbortSignal,
): Promise<ContractEvaluation> {
  const absent = solution.missing.map((path) => noFile(`solution file ${path}`, 'missing'))
  if (absent.length > 0 || solution.findings.length > 0)
    return withoutVerifier(task, absent, solution.findings)
  const report = await verifier.evaluate(
    verifierInput(task, solution.files, task.task.expectedTests),
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

function withoutVerifier(
  task: LoadedExercise,
  assertions: Assertion[],
  findings: TamperFinding[],
): ContractEvaluation {
  const all = [...assertions, ...findings.map(({ detail }) => noFile(detail, 'a link'))]
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

function noFile(label: string, observed: string): Assertion {
  return assertion('file', label, 'a regular file', observed, false)
}

const MAX_BYTES = 1 << 20

export type CollectedSolution = {
  files: SourceText[]
  missing: string[]
  findings: TamperFinding[]
}

/** Reads the declared solution files, and nothing else, from the workspace into memory. */
export async function collectSolution(
  task: LoadedExercise,
  workspace: string,
): Promise<CollectedSolution> {
  const collected: CollectedSolution = { files: [], missing: [], findings: [] }
  for (const path of task.task.files.solution) {
    const found = await readPlainFile(workspace, path, MAX_BYTES)
    if (found.kind === 'read') collected.files.push({ path, text: found.bytes.toString('utf8') })
    else if (found.kind === 'missing') collected.missing.push(path)
    else if (found.reason.includes('link') && !(await linksInside(workspace, path)))
      collected.findings.push({ code: 'solution-is-link', detail: `${path}: ${found.reason}` })
    else collected.missing.push(`${path} (${found.reason})`)
  }
  return collected
}

/**
 * Returns true if a path is a link to a file of the same workspace: an honest way to arrange files, although it is not
 * followed.
 */
async function linksInside(workspace: string, path: string): Promise<boolean> {
  const target = await readlink(join(workspace, path)).catch(() => null)
  return target !== null && !leadsOut(path, target)
}
