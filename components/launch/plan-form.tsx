import { Button } from '#components/ui/button.tsx'
import { visibleText } from '#components/ui/format.ts'
import {
  isSubjectNamed,
  OTHER_SUBJECT,
  type PlanField,
  type PlannerView,
} from '#lib/domain/api/index.ts'
import { SelectField, TextField } from '../ui/fields.tsx'
import { FieldGroup } from './field-group.tsx'
import { type Option, withGiven } from './launch-options.ts'
import { LimitFields } from './limit-fields.tsx'
import { StepRail } from './step-rail.tsx'

/** The planner's form as a plain GET form: it works without scripts, and its result has a URL. */
export function PlanForm({ view }: { view: PlannerView }) {
  const { fields, problems } = view
  const about = (name: PlanField) => ({
    name,
    dense: true,
    defaultValue: fields[name],
    problem: problems.find((problem) => problem.field === name)?.message,
  })
  const isAnswered = view.estimate !== null && isSubjectNamed(fields)
  return (
    <>
      <StepRail
        current={isAnswered ? 1 : 0}
        label="Steps of a plan"
        steps={['Configure', 'Review', 'Run']}
      />
      <form
        action="/plan#estimate"
        className="space-y-4 rounded border border-line bg-surface p-4"
        method="get"
      >
        <FieldGroup columns={COLUMNS} title="Run">
          <SelectField {...about('suite')} label="Suite" options={suiteOptions(view)} />
          <SelectField {...about('category')} label="Tasks" options={categoryOptions(view)} />
          <SelectField {...about('subject')} label="Entry" options={subjectOptions(view)} />
          <SelectField {...about('versus')} label="Compare with" options={rowOptions(view)} />
        </FieldGroup>
        <FieldGroup columns={COLUMNS} title="Another agent, version or model">
          <TextField {...about('agent')} label="Agent" placeholder="name" />
          <TextField {...about('version')} label="Version" placeholder="exact version" />
          <TextField {...about('model')} label="Model" placeholder="model id" />
        </FieldGroup>
        <FieldGroup columns={COLUMNS} title="Size">
          <TextField {...about('repetitions')} inputMode="numeric" label="Repetitions per task" />
          <TextField {...about('concurrency')} inputMode="numeric" label="Concurrency" />
        </FieldGroup>
        <FieldGroup columns={COLUMNS} title="Limits per episode">
          <LimitFields
            about={about}
            suiteKind={view.suites.find(({ suiteId }) => suiteId === fields.suite)?.kind}
          />
        </FieldGroup>
        <Button tone={isAnswered ? 'plain' : 'primary'} type="submit">
          Estimate
        </Button>
      </form>
    </>
  )
}

const COLUMNS = 'sm:grid-cols-2 lg:grid-cols-5'

function suiteOptions({ suites, fields }: PlannerView): Option[] {
  const known = suites.map(({ suiteId, title }) => ({ value: suiteId, text: visibleText(title) }))
  return withGiven(known, fields.suite)
}

function categoryOptions({ categories, fields }: PlannerView): Option[] {
  const known = categories.map((name) => ({ value: name, text: `Only ${visibleText(name)}` }))
  return withGiven([{ value: '', text: 'All tasks' }, ...known], fields.category)
}

function subjectOptions({ subjects, fields }: PlannerView): Option[] {
  const known = subjects.map((label) => ({ value: label, text: visibleText(label) }))
  return withGiven(
    [...known, { value: OTHER_SUBJECT, text: 'Another, named below' }],
    fields.subject,
  )
}

function rowOptions({ rows, fields }: PlannerView): Option[] {
  const known = rows.map(({ rowId, label }) => ({ value: rowId, text: visibleText(label) }))
  return withGiven([{ value: '', text: 'None' }, ...known], fields.versus)
}
