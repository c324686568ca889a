/** One test of a report, with its groups in the name: `suite > case`. */
export type ReportedTest = { name: string; status: 'passed' | 'failed' | 'skipped' | 'error' }
