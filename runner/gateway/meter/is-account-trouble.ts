/** Said with status 400 by providers that mean the account; only from the start, where no word of a request is repeated. */
const BEGINNINGS = [
  'Your credit balance is too low',
  'API key not valid',
  'API key expired',
  'Your account is not active',
  'You exceeded your current quota',
]

/** True when an error means the key or the account and not the request. */
export function isAccountTrouble(message: string | null): boolean {
  return message !== null && BEGINNINGS.some((beginning) => message.startsWith(beginning))
}
