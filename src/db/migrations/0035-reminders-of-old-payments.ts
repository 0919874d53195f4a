/**
 * Customers who were to pay before there were reminders are reminded too: three days after their request began to wait, or
 * from the next bulk check on; then as the setting says.
 */
export const sql = `
UPDATE requests
  SET remindAt = max(
    strftime('%Y-%m-%dT%H:%M:%fZ', statusSince, '+3 days'),
    strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  )
  WHERE status = 'WAITING_PAYMENT' AND remindAt IS NULL
    AND NOT EXISTS (SELECT 1 FROM history WHERE requestId = requests.id AND what = 'payment.reminded');
`;
