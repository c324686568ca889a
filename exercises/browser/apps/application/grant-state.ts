export const STEPS = ['applicant', 'address', 'project', 'budget', 'documents', 'terms'] as const
export type Step = (typeof STEPS)[number]

export const STEP_NAMES: Record<Step | 'review', string> = {
  applicant: 'Applicant',
  address: 'Address',
  project: 'Project',
  budget: 'Budget',
  documents: 'Documents',
  terms: 'Terms',
  review: 'Review',
}

/** Everything that is typed into the form, by name; drafts may hold anything, also what is not valid (yet). */
export const FIELDS = {
  applicant: [
    'kind',
    'fullName',
    'birthDay',
    'birthMonth',
    'birthYear',
    'email',
    'organisation',
    'role',
  ],
  address: ['country', 'street', 'postcode', 'city'],
  project: ['title', 'theme', 'otherTheme', 'startsOn', 'endsOn', 'summary'],
  budget: ['total', 'requested', 'coFunder'],
} as const satisfies Partial<Record<Step, readonly string[]>>
export type Field = (typeof FIELDS)[keyof typeof FIELDS][number]

export type Document = { name: string; size: number; digest: string }

export type Application = {
  id: string
  state: 'draft' | 'submitted' | 'returned'
  fields: Record<Field, string>
  document: Document | null
  hasAcceptedTerms: boolean
  savedAt: string | null
  /** What the fund wants to be changed in a returned application. */
  remark: string | null
  reference: string | null
  /** How often it was handed in. */
  handedIn: number
}

export type GrantState = { applications: Application[]; started: number; references: number }

const EMPTY = Object.fromEntries(
  Object.values(FIELDS).flatMap((names) => names.map((name) => [name, ''])),
) as Record<Field, string>

/** A new application with nothing in it. */
export function createApplication(
  id: string,
  fields: Partial<Record<Field, string>> = {},
): Application {
  return {
    id,
    state: 'draft',
    fields: { ...EMPTY, ...fields },
    document: null,
    hasAcceptedTerms: false,
    savedAt: null,
    remark: null,
    reference: null,
    handedIn: 0,
  }
}

/** The fields that a step's page has; none for documents and terms. */
export function fieldsOf(step: Step): readonly Field[] {
  return step in FIELDS ? FIELDS[step as keyof typeof FIELDS] : []
}
