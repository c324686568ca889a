const FIELDS = [
  ['subject', 'Agent or library', 'claude-code'],
  ['subjectVersion', 'Version', '2.1.0'],
  ['model', 'Model', 'claude-opus-4-6'],
  ['provider', 'Provider', 'anthropic'],
  ['suite', 'Suite', 'my-exercises'],
  ['suiteVersion', 'Suite version', '1.0'],
  ['scorer', 'Scorer', 'if an Inspect log has several'],
] as const

const CONTROL = 'h-9 w-full min-w-0 rounded border border-line-strong bg-surface px-2'

/** What a test report does not contain. These fields come before the files, because each file is validated as it arrives. */
export function ReportedFields() {
  return (
    <details className="mb-4">
      <summary className="cursor-pointer text-muted">
        JUnit and CTRF: name the agent and the suite
      </summary>
      <div className="mt-3 grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {FIELDS.map(([name, label, example]) => (
          <label className="min-w-0" key={name}>
            <span className="mb-1 block text-muted text-xs">{label}</span>
            <input className={CONTROL} maxLength={80} name={name} placeholder={example} />
          </label>
        ))}
        <label className="min-w-0">
          <span className="mb-1 block text-muted text-xs">Tasks</span>
          <select className={CONTROL} name="tasks">
            <option value="cases">One per test case</option>
            <option value="suites">One per test suite</option>
          </select>
        </label>
      </div>
    </details>
  )
}
