import type { AppRequest } from '../app.ts'
import { textField } from '../kit/field.ts'
import { html, type Markup } from '../kit/html.ts'
import { field } from './layout.ts'

const DECLINED = '0002'

type Wrong = Readonly<Record<string, string>>

export function cardFields(request: AppRequest, wrong: Wrong): Markup {
  const given = (id: string) => textField(request, id, 40)
  return html`${field({ id: 'card', label: 'Card number', value: given('card'), error: wrong.card })}
<div class="pair">${field({ id: 'expiry', label: 'Expiry date', value: given('expiry'), error: wrong.expiry, hint: 'Month and year, as in 09/28' })}${field({ id: 'code', label: 'Security code', error: wrong.code })}</div>`
}

/** The card of a form, by its last four digits, or what is wrong with each field. */
export function readCard(request: AppRequest): { card: string | null; wrong: Wrong } {
  const number = textField(request, 'card', 40).replace(/[ -]/g, '')
  const wrong: Record<string, string> = {}
  if (!/^\d{16}$/.test(number) || !hasCheckDigit(number))
    wrong.card = 'This card number is not complete or has a typing mistake.'
  if (!/^(0[1-9]|1[0-2])\/(2[6-9]|3\d)$/.test(textField(request, 'expiry', 40)))
    wrong.expiry = 'Write a month and a year to come, as in 09/28.'
  if (!/^\d{3}$/.test(textField(request, 'code', 40))) wrong.code = 'The three digits on the back.'
  return { card: Object.keys(wrong).length === 0 ? number.slice(-4) : null, wrong }
}

/** What the bank says of a card. */
export function charge(card: string): 'accepted' | 'declined' {
  return card === DECLINED ? 'declined' : 'accepted'
}

/** Luhn: every second digit from the right counts twice. */
function hasCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, sign, index) => {
    const digit = Number(sign) * (index % 2 === 1 ? 2 : 1)
    return total + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return sum % 10 === 0
}
