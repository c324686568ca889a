const TYPED = ['text', 'search', 'email', 'url', 'tel', 'password', 'number']

/** Whether keys write into a field as they stand; a date's keys depend on the browser's language. */
export function takesKeys(tag: string, type: string | null): boolean {
  return tag !== 'input' || TYPED.includes(type ?? 'text')
}

/** The script by which WebDriver's users give such a field its value; its arguments are the field and the value. */
export const SET_VALUE = `
  const [field, value] = arguments
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, value)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))`
