/** One test as a report names it, its groups first: `suite > case`. */
export type ReportedTest = { name: string; status: 'passed' | 'failed' | 'skipped' | 'error' }
