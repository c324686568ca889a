import { documentPage } from '../../kit/document.ts'
import { html } from '../../kit/html.ts'

const PARTS = [
  [
    'What the grant is for',
    'The fund supports projects that bring people together to make, keep or share culture. It pays for work, material, rooms and travel. It does not pay for buildings, vehicles or debts.',
  ],
  [
    'Who may apply',
    'Persons of 18 years or more, and organisations that stand in a public register. Each may hold two grants at a time. Whoever applies answers for the project.',
  ],
  [
    'What we pay',
    'At most 80 percent of the total costs and never more than 25 000 EUR. Three quarters are paid at the beginning, the rest after the report.',
  ],
  [
    'What you tell us',
    'Tell us within 14 days when the dates, the budget or the people change. Within 60 days after the last day you send a report of two pages with a list of the costs.',
  ],
  [
    'What we may show',
    'We publish title, place, amount and a short summary. Pictures that you send us may be shown with your name.',
  ],
  [
    'When we ask for money back',
    'When it was not spent on the project, when the project did not take place, or when the report does not arrive. We ask in writing and give you 30 days.',
  ],
  [
    'Your data',
    'We keep the application for seven years and share it with the jury alone. You may see, correct and delete your data at any time, except what the law makes us keep.',
  ],
] as const

/** The terms as a document of their own; they can be accepted once their end has been seen. */
export function termsText() {
  const body = html`<p><button type="button" class="link" id="to-end">Go to the end of the terms</button></p>
<h1>Terms of the Small Projects Grant</h1>
${PARTS.map(([name, words], index) => html`<h2>${index + 1}. ${name}</h2><p>${words}</p>`)}
<p class="end" id="end"><label class="option"><input type="checkbox" id="accept" disabled> I have read and accept the terms</label></p>`
  return documentPage({
    title: 'Terms of the Small Projects Grant',
    styles: ['terms.css'],
    modules: ['terms.js'],
    body,
  })
}
