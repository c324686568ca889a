/** Replies that are written again and again; `{first name}` becomes the customer's. */
export const CANNED: readonly { name: string; text: string }[] = [
  {
    name: 'Delivery date follows',
    text: 'Hello {first name},\n\nthank you for your patience. The carrier will write to you with a date by tomorrow noon.',
  },
  {
    name: 'Refund being checked',
    text: 'Hello {first name},\n\nwe are checking the payment with our bank and will be back with you within two working days.',
  },
  {
    name: 'Refund on its way',
    text: 'Hello {first name},\n\nthe payment was taken twice by mistake, and we are sorry for that. The refund is on its way and reaches your account within five working days.',
  },
  {
    name: 'Please send pictures',
    text: 'Hello {first name},\n\ncould you send us two or three pictures of the damage? We will find a solution right after.',
  },
]
