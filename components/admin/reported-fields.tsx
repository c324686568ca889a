import { SelectField, TextField } from '../ui/fields.tsx'

const FIELDS = [
  ['subject', 'Agent or library', 'claude-code'],
  ['subjectVersion', 'Version', '2.1.0'],
  ['model', 'Model', 'claude-opus-4-6'],
  ['provider', 'Provider', 'anthropic'],
  ['suite', 'Suite', 'my-exercises'],
  ['suiteVersion', 'Suite version', '1.0'],
  ['scorer', 'Scorer', 'if an Inspect log has several'],
] as const

const TASKS = [
  { value: 'cases', text: 'One per test case' },
  { value: 'suites', text: 'One per test suite' },
]

/** What a test report does not contain. These fields come before the files, because each file is validated as it arrives. */
export function ReportedFields() {
  return (
    <details className="mb-4">
      <summary className="cursor-pointer text-muted">
        JUnit and CTRF: name the agent and the suite
      </summary>
      <div className="mt-3 grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {FIELDS.map(([name, label, example]) => (
          <TextField key={name} label={label} maxLength={80} name={name} placeholder={example} />
        ))}
        <SelectField label="Tasks" name="tasks" options={TASKS} />
      </div>
    </details>
  )
}
