import { z } from 'zod'
import { countOf } from '../text/index.ts'

const text = (maxLength: number) => z.string().trim().min(1).max(maxLength)

/** Details from the sender of a result that its format has no place for. Absent = not given. */
export const submissionDetailsSchema = z
  .object({
    /** The measured subject, such as `claude-code`. */
    subject: text(80),
    subjectVersion: text(100),
    model: text(200),
    provider: text(100),
    /** Name of the set of tasks. */
    suite: text(200),
    suiteVersion: text(100),
    /** The task unit of a test report: each case, or each suite with all of its cases. */
    tasks: z.enum(['cases', 'suites']),
    /** The deciding one of several scores of a sample, or rewards of a trial. */
    scorer: text(200),
  })
  .partial()
export type SubmissionDetails = z.infer<typeof submissionDetailsSchema>

export const SUBMISSION_DETAIL_FIELDS = Object.keys(
  submissionDetailsSchema.shape,
) as (keyof SubmissionDetails)[]

/** Merges details: those in a report take precedence over those given with it; invalid ones are skipped. */
export function readSubmissionDetails(
  reported: Readonly<Record<string, unknown>>,
  given: SubmissionDetails,
): SubmissionDetails {
  const known = SUBMISSION_DETAIL_FIELDS.flatMap((field) => {
    const parsed = submissionDetailsSchema.shape[field].safeParse(reported[field])
    return parsed.success && parsed.data !== undefined ? [[field, parsed.data]] : []
  })
  return submissionDetailsSchema.parse({ ...given, ...Object.fromEntries(known) })
}

type Issue = z.core.$ZodIssue

/** Formats the first problem as a sentence: `looks like a ts-bench result, but results[3].exercise is missing`. */
export function formatMismatch(title: string, issues: readonly Issue[]): string {
  const [first, ...more] = issues
  const rest = more.length > 0 ? ` (and ${countOf(more.length, 'more problem')})` : ''
  return `this looks like ${title}, but ${first ? describeIssue(first) : 'it cannot be read'}${rest}`
}

function describeIssue(issue: Issue): string {
  const place = formatIssuePath(issue.path) || 'it'
  const isMissing = issue.code === 'invalid_type' && /received undefined$/.test(issue.message)
  return isMissing ? `${place} is missing` : `${place} cannot be read: ${issue.message}`
}

/** `results[3].exercise` */
function formatIssuePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    const name = String(part).slice(0, 80)
    return text === '' ? name : `${text}.${name}`
  }, '')
}
