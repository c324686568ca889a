import { html, type Markup } from '../../kit/html.ts'
import type { Problems } from '../check-step.ts'
import type { Application, Field } from '../grant-state.ts'

type Sheet = { application: Application; problems: Problems }
type TextOptions = {
  hint?: string
  size?: string
  inputMode?: string
  autocomplete?: string
  suggests?: string
}

/** A labelled text field with its hint and its problem. `suggests` = a register: it becomes a combobox. */
export function textInput(
  { application, problems }: Sheet,
  name: Field,
  label: string,
  options: TextOptions = {},
) {
  const { hint, size = 'full', suggests } = options
  const combo =
    suggests !== undefined &&
    html`role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="${name}-list" data-suggests="${suggests}"`
  return html`<div class="field ${size}"><label for="${name}">${label}</label>
${hintOf(name, hint)}
<input id="${name}" name="${name}" value="${application.fields[name]}" autocomplete="off" ${described(name, hint, problems)} ${combo}>
${suggests !== undefined && html`<ul class="suggestions" id="${name}-list" role="listbox" aria-label="${label} suggestions" hidden></ul>`}
${problemOf(name, problems)}</div>`
}

export function textArea(
  { application, problems }: Sheet,
  name: Field,
  label: string,
  hint: string,
) {
  return html`<div class="field full"><label for="${name}">${label}</label>${hintOf(name, hint)}
<textarea id="${name}" name="${name}" rows="5" ${described(name, hint, problems)}>${application.fields[name]}</textarea>
${problemOf(name, problems)}</div>`
}

export function choice(
  { application, problems }: Sheet,
  name: Field,
  label: string,
  options: readonly string[],
) {
  const chosen = application.fields[name]
  return html`<div class="field half"><label for="${name}">${label}</label>
<select id="${name}" name="${name}" ${described(name, undefined, problems)}><option value="">Choose</option>
${options.map((one) => html`<option value="${one}" ${one === chosen && html`selected`}>${one}</option>`)}</select>
${problemOf(name, problems)}</div>`
}

export function radios(
  { application, problems }: Sheet,
  name: Field,
  legend: string,
  options: Record<string, string>,
) {
  const chosen = application.fields[name]
  return html`<fieldset class="field full"><legend>${legend}</legend>
${Object.entries(options).map(
  ([value, words]) =>
    html`<label class="option"><input type="radio" id="${name}-${value}" name="${name}" value="${value}" ${value === chosen && html`checked`}> ${words}</label>`,
)}
${problemOf(name, problems)}</fieldset>`
}

/** Fields that only some answers ask for; the page hides them as soon as the answer changes. */
export function when(
  field: Field,
  value: string,
  application: Application,
  content: Markup,
): Markup {
  const isShown = application.fields[field] === value
  return html`<div class="when" data-when="${field}" data-is="${value}" ${!isShown && html`hidden`}>${content}</div>`
}

export function problemOf(name: keyof Problems, problems: Problems): Markup {
  const problem = problems[name]
  return problem === undefined
    ? html``
    : html`<p class="problem" id="${name}-problem">${problem}</p>`
}

function hintOf(name: Field, hint: string | undefined): Markup {
  return hint === undefined ? html`` : html`<p class="hint" id="${name}-hint">${hint}</p>`
}

function described(name: Field, hint: string | undefined, problems: Problems): Markup {
  const isWrong = problems[name] !== undefined
  const ids = [hint !== undefined && `${name}-hint`, isWrong && `${name}-problem`]
    .filter(Boolean)
    .join(' ')
  return html`${ids !== '' && html`aria-describedby="${ids}"`} ${isWrong && html`aria-invalid="true"`}`
}
