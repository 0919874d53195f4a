/** The documents' texts about the API as a whole. */
export const API_TITLE = 'Maintenance requests and their contracts';

export const API_ABOUT = `Requests for maintenance, the contracts that are signed for them, and what follows.

Log in at \`/api/login_check\` and send \`Authorization: Bearer <token>\` with every call. A user sees and changes what it
owns; the rest is 404. An administrator sees all.

Answers are JSON-LD with hydra's members. Their links, and \`/api\`, lead to everything else. Every answer carries
\`X-Request-Id\`, every error the same members. \`/api/v1/…\` is the same API as \`/api/…\`. GET routes answer HEAD, except
the check of a signature, which acts. A slash at the end of a path changes nothing. Every item has an \`ETag\`: sent back as
\`If-Match\`, it keeps a change from what somebody else has changed since. Another method is 405 and names those that are allowed in
\`Allow\`.`;
