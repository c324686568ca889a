import type { LaunchChoices, SubjectChoice } from '#lib/domain/runs/index.ts'
import { visibleText } from '../ui/format.ts'
import { subjectWord } from './launch-options.ts'

type SubjectCardsProps = {
  choices: LaunchChoices
  chosen: string
  problem: string | undefined
  onChoose: (input: HTMLInputElement) => void
}

const KINDS: readonly SubjectChoice['kind'][] = ['agent', 'library', 'control']

/** Installed subjects, agents first. Those not installed are listed below the form, with their requirements. */
export function SubjectCards({ choices, chosen, problem, onChoose }: SubjectCardsProps) {
  const shown = choices.subjects
    .filter(({ missing, name }) => missing === null || name === chosen)
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  const isUnknown = shown.every(({ name }) => name !== chosen)
  const missing = choices.subjects.length - shown.length
  return (
    <fieldset className="col-span-full" id="field-subject">
      <legend className="mb-1 text-muted text-xs">{subjectWord(choices)}</legend>
      <div className="flex flex-wrap gap-2">
        {shown.map((subject) => (
          <Card
            isChosen={subject.name === chosen}
            key={subject.name}
            onChoose={onChoose}
            subject={subject}
          />
        ))}
        {isUnknown && chosen !== '' ? (
          <Card
            isChosen
            onChoose={onChoose}
            subject={{ name: chosen, title: `${chosen} (unknown)`, version: null, kind: null }}
          />
        ) : null}
        {missing > 0 ? (
          <a className="link self-center" href="#not-installed">
            Install another ({missing})
          </a>
        ) : null}
      </div>
      {problem ? <p className="untrusted mt-1 text-bad text-xs">{visibleText(problem)}</p> : null}
    </fieldset>
  )
}

type CardProps = {
  subject: Pick<SubjectChoice, 'name' | 'title' | 'version'> & {
    kind: SubjectChoice['kind'] | null
    missing?: string | null
  }
  isChosen: boolean
  onChoose: (input: HTMLInputElement) => void
}

function Card({ subject, isChosen, onChoose }: CardProps) {
  const { name, title, version, kind, missing = null } = subject
  const notes = [version, kind === 'control' ? 'control' : null, missing && 'not available']
  return (
    <label className="flex min-h-10 cursor-pointer items-center gap-2 rounded border border-line bg-surface px-3 py-1 hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft">
      <input
        className="accent-[var(--accent)]"
        defaultChecked={isChosen}
        name="subject"
        onChange={(event) => onChoose(event.currentTarget)}
        type="radio"
        value={name}
      />
      <span className="untrusted font-medium">{visibleText(title)}</span>
      <span className="untrusted text-muted text-xs">
        {notes.flatMap((note) => (note ? [visibleText(note)] : [])).join(' · ')}
      </span>
    </label>
  )
}
