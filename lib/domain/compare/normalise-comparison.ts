import type { ComparedPair, CompareVerdict, RowComparison } from '../statistics/index.ts'
import type { PairResult } from './measured-difference.ts'

/**
 * Finds the result of A against B among all pairs, which were tested in the order of their keys, and reverses it if
 * needed, so that the order of a request never changes a number.
 */
export function normaliseComparison({ pairs }: RowComparison, a: string, b: string): PairResult {
  const same = pairs.find((pair) => pair.a === a && pair.b === b)
  if (same) return toResult(same)
  const other = pairs.find((pair) => pair.a === b && pair.b === a)
  if (!other) throw new Error(`rows ${a} and ${b} were not compared`)
  return mirror(toResult(other))
}

function toResult({ result }: ComparedPair): PairResult {
  if (!result.ok) return result
  const { difference, low, high, p, verdict, method, seed, alpha } = result.value
  const { alpha: own, ...similar } = result.similar
  return {
    ok: true,
    difference,
    low,
    high,
    p,
    adjustedP: result.adjustedP,
    confidence: 1 - alpha,
    verdict,
    method,
    seed,
    similar: { ...similar, confidence: 1 - own },
  }
}

function mirror(result: PairResult): PairResult {
  if (!result.ok) return result
  const { difference, low, high, verdict, similar } = result
  return {
    ...result,
    // Subtracted from zero, so that no difference does not become -0.
    difference: 0 - difference,
    low: 0 - high,
    high: 0 - low,
    verdict: mirrorVerdict(verdict),
    ...(similar && { similar: { ...similar, low: 0 - similar.high, high: 0 - similar.low } }),
  }
}

function mirrorVerdict(verdict: CompareVerdict): CompareVerdict {
  if (verdict.kind === 'better') return { ...verdict, kind: 'worse', text: 'worse' }
  if (verdict.kind === 'worse') return { ...verdict, kind: 'better', text: 'better' }
  return verdict
}
