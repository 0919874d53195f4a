/** Every label, answer and sentence that people read, in English: one flat table (rules 4 names the first keys). */
import { explainEn } from './explain-en.js';
import { pagesEn } from './pages-en.js';
import { accountsEn } from './accounts-en.js';
import { recordsEn } from './records-en.js';
import { listsEn } from './lists-en.js';
import { joined } from './joined.js';

export const generalEn = {
  'request.check_signature': 'Check signature',

  check_signature_success: 'The contract is signed. The request now waits for the payment.',
  'check_signature_info.ongoing': 'The customer has not signed yet. Nothing was changed.',
  'check_signature_info.expired':
    'The deadline for signing has passed, so the contract was set to expired. Reset the signature to send a new one.',
  'check_signature_info.status': 'The signature provider reports the status “%status%”.',
  check_signature_start_expired:
    'The deadline for signing has passed, so the contract was set to expired. Start the signature to send a new one.',
  check_signature_caught_up:
    'The contract is with the customer, who has not signed yet. Sending it was interrupted here; the request is now up to date.',

  check_signature_signer_error:
    'An error occurred at the signature provider while the customer was signing, and the provider canceled the contract. The document may be damaged. Reset the signature to send a new contract.',

  check_signature_not_sent:
    'The signature provider has not sent this contract: the customer has received nothing. Start the signature again.',
  not_waiting_signature: 'This request is not waiting for a signature, so there is nothing to check.',
  contract_not_found: 'This request has no contract yet. Reset the signature to make one.',
  no_sign_id: 'The contract was never sent to the signature provider. Reset the signature to send it.',
  contract_expired: 'The contract has expired. Reset the signature to send a new one.',
  payment_creation_failed:
    'The contract is signed, but the payment page could not be created. It will be retried automatically; if the last attempt fails, the job is listed under failed jobs.',
  signature_not_found:
    'The signature provider does not know this contract, so it was set to expired. Reset the signature to send a new one.',
  foreign_signature:
    'The signature request found at the provider under this contract’s name or ID does not belong to it: its name or signer differs, or it is older than the contract. Nothing from it was used. Reset the signature to send a new contract.',
  second_document:
    'The signature provider has a second document under this contract’s name (%sign%, %status%). Someone has to decide which of the two counts.',
  'unknown_signature.done':
    'The customer has signed it, but this installation has no record of it. Download the signed PDF from the provider’s console and agree with the customer how to proceed before you send another contract.',
  'unknown_signature.open':
    'It can still be signed, and this installation would not notice. Cancel it in the provider’s console; then the signature of the request can be started again.',
  'unknown_signature.draft': 'It was never sent. It can be deleted in the provider’s console.',
  provider_unavailable:
    'The signature provider cannot be reached. Nothing was changed; try again in a few minutes. If this continues, `%command%` shows why.',
  provider_answered:
    'The signature provider answered %answer%. Nothing was changed; try again in a few minutes. If this continues, `%command%` shows why.',
  provider_refuses_key:
    'The signature provider refuses the API key. Nothing was changed. Correct ESIGN_API_KEY; `%command%` checks it.',
  provider_forbids:
    'The signature provider does not permit this: it answered %answer%. Either ESIGN_API_KEY is the wrong key, or the account lacks a feature. Nothing was changed; `%command%` checks the key.',
  provider_rejects:
    'The signature provider rejected the data: it answered %answer%. Check the details of the contract and of the customer, then try again.',
  provider_rejects_pdf:
    'The signature provider rejected the PDF: it answered %answer%. Try again with another PDF.',
  provider_busy:
    'The signature provider accepts no more calls at the moment. Nothing was changed; try again in %seconds% s.',
  provider_unrecognised:
    'The signature provider answered 404, but not in its own format: a proxy answered, or something else at the address in ESIGN_API_URL. Nothing was changed; `%command%` checks the address.',
  already_signed: 'The customer has already signed this contract. Check the signature instead.',
  request_not_found: 'There is no request with this number.',

  'pdf.title': 'Maintenance contract',
  'pdf.reference': 'Reference',
  'pdf.made': 'Made on',
  'pdf.provider': 'The Provider',
  'pdf.customer': 'The Customer',
  'pdf.provider.role': 'carries out the maintenance',
  'pdf.email': 'E-mail: %value%',
  'pdf.phone': 'Phone: %value%',
  'pdf.equipment': 'The equipment',
  'pdf.equipment.name': 'Name',
  'pdf.equipment.model': 'Model',
  'pdf.equipment.serial': 'Serial number',
  'pdf.subject': '1. Subject',
  'pdf.subject.text':
    'The Provider undertakes to carry out for the Customer, on the equipment named above, the maintenance work described here.',
  'pdf.obligations': '2. Obligations',
  'pdf.obligations.provider':
    'The Provider carries out the work with professional care, using qualified staff and suitable parts, and tells the Customer without delay of anything that stands in its way.',
  'pdf.obligations.customer':
    'The Customer gives the Provider access to the equipment at the agreed times, tells the Provider what is known about its condition, and operates it as its manufacturer prescribes.',
  'pdf.price': '3. Price and payment',
  'pdf.price.label': 'Total price',
  'pdf.price.scope':
    'This is the whole amount that the Customer pays for the work described in article 1. Any further work needs a new written agreement.',
  'pdf.price.payment':
    'Once the contract is signed, the Provider sends the Customer an e-mail with a link to a secure payment page. The price is due when that e-mail arrives.',
  'pdf.term': '4. Term',
  'pdf.term.start':
    'This contract takes effect on the day the Customer signs it. Unless it is signed by %deadline%, it lapses and binds neither party.',
  'pdf.term.fixed': 'It runs for %term% from the day of signature and then ends without notice.',
  'pdf.term.open': 'It has no fixed end. Either party may end it in writing with one month’s notice.',
  'pdf.term.breach':
    'If a party does not fulfil its obligations and does not put this right within thirty days of a written reminder, the other party may end the contract.',
  'pdf.signature': '5. Signature',
  'pdf.signature.text':
    'The Customer signs this contract electronically. The parties agree that the electronic signature has the same force as a handwritten one. Each party keeps a copy of the signed contract.',
  'pdf.signature.provider': 'For the Provider',
  'pdf.signature.customer': 'For the Customer',
  'pdf.signature.issued': 'Issued electronically on %date%',
  'pdf.signature.box': 'Signature',
  'pdf.page': 'Page %page% of %pages%',

  'mail.greeting': 'Hello %name%,',
  'mail.greeting.admin': 'Hello,',
  'mail.closing': 'Kind regards,',
  'mail.footer': 'This message was sent by %issuer% about request %reference%.',
  'mail.footer.admin': 'This message was sent by the contract service of %issuer%.',
  'mail.fact': '%label%: %value%',
  'mail.command': 'On the command line',
  'mail.link': 'If the button does not work, open this address:',
  'mail.label.reference': 'Request',
  'mail.label.title': 'Subject',
  'mail.label.customer': 'Customer',
  'mail.label.contract': 'Contract',
  'mail.label.signed_at': 'Signed on',
  'mail.label.sign_before': 'Signing deadline',
  'mail.label.amount': 'Amount',
  'mail.label.paid_at': 'Paid on',
  'mail.label.reason': 'Reason',
  'mail.label.decline_reason': 'In the customer’s words',
  'mail.label.paid': 'Paid',
  'mail.label.payment': 'Payment',
  'mail.label.failing_since': 'Failing since',
  'mail.label.failure': 'Error',
  'mail.label.error': 'Last answer',
  'mail.label.sign_id': 'Signature request at the provider',
  'mail.label.external_id': 'External ID',
  'mail.label.url': 'Address',
  'mail.label.event': 'Event',
  'mail.label.subscription': 'Webhook',
  'mail.unknown': 'unknown',

  'mail.signed.subject': 'Your signed maintenance contract %reference%',
  'mail.signed.intro': 'Thank you: your maintenance contract is signed.',
  'mail.signed.attached': 'The signed contract is attached to this message; please keep it.',
  'mail.signed.too_large':
    'The signed contract is too large to be sent by e-mail. Reply to this message and we will get it to you another way.',
  'mail.signed.next': 'You will soon receive a second message with a link to the payment page.',

  'mail.canceled.subject': 'Your request %reference% has been canceled',
  'mail.canceled.intro':
    'We have canceled your request for maintenance. You do not need to sign or pay anything; links that we sent you for this request no longer work.',
  'mail.canceled.next': 'If you did not expect this, please reply to this message.',

  'mail.admin_signed.subject': 'Signed: %reference% (%customer%)',
  'mail.admin_signed.intro':
    '%customer% has signed the maintenance contract. The signed contract is stored, and the request now waits for the payment.',
  'mail.admin_signed.next':
    'No action is needed: the payment page is created automatically, and its link is e-mailed to the customer.',

  'mail.payment.subject': 'Payment for your maintenance contract %reference%',
  'mail.payment.intro': 'Your contract is signed. Please pay %amount% on our secure payment page.',
  'mail.payment.action': 'Pay %amount%',
  'mail.payment.code': 'The payment link as a QR code',
  'mail.payment.lasting':
    'This link stays valid until you have paid. The QR code opens the same page on a phone.',

  'mail.reminder.subject': 'Reminder: payment for your maintenance contract %reference%',
  'mail.reminder.intro':
    'Your contract is signed, and your payment of %amount% has not reached us yet. Please pay on our secure payment page. If you have paid in the meantime, please ignore this message.',

  'mail.received.subject': 'Payment received: your maintenance contract %reference%',
  'mail.received.intro': 'Thank you: we have received your payment of %amount%.',
  'mail.received.next': 'Your request is complete; there is nothing more to do.',

  'mail.admin_paid.subject': 'Paid: %reference% (%customer%)',
  'mail.admin_paid.intro': '%customer% has paid %amount%. The request is complete.',
  'mail.admin_paid.next': 'No action is needed.',

  'mail.ended.subject': 'Contract ended without signature: %reference% (%customer%)',
  'mail.ended.intro.declined': '%customer% has declined to sign the maintenance contract.',
  'mail.ended.intro.canceled':
    'The signature of the maintenance contract for %customer% was canceled at the signature provider.',
  'mail.ended.intro.rejected':
    'The signature provider’s approval step rejected the maintenance contract for %customer%.',
  'mail.ended.intro.deleted':
    'The maintenance contract for %customer% was deleted at the signature provider.',
  'mail.ended.intro.signer_error':
    'An error occurred at the signature provider while %customer% was signing the maintenance contract, and the provider canceled it. The document may be damaged.',
  'mail.ended.intro.expired': '%customer% did not sign the maintenance contract in time.',
  'mail.ended.intro.not_found':
    'The signature provider no longer knows the maintenance contract for %customer%.',
  'mail.ended.reason.declined': 'declined by the customer',
  'mail.ended.reason.canceled': 'canceled at the signature provider',
  'mail.ended.reason.rejected': 'rejected in the approval step',
  'mail.ended.reason.deleted': 'deleted at the signature provider',
  'mail.ended.reason.signer_error':
    'an error occurred at the signature provider while the customer was signing',
  'mail.ended.reason.expired': 'not signed in time',
  'mail.ended.reason.not_found': 'unknown to the signature provider',
  'mail.ended.state.reset':
    'This contract is now expired and can no longer be signed. The request is still waiting for a signature.',
  'mail.ended.state.start':
    'This contract is now expired and can no longer be signed. Starting the signature was interrupted here, so it can be started again.',
  'mail.ended.next.start':
    'If the customer still wants the work, start the signature in the back office or on the command line: a new contract is created and sent.',
  'mail.ended.next.reset':
    'If the customer still wants the work, reset the signature in the back office or on the command line: a new contract is created and sent.',

  'mail.late.subject': 'Signed late, decision needed: %reference% (%customer%)',
  'mail.late.intro':
    '%customer% has signed the maintenance contract, but after the deadline. The contract stays expired and nothing was charged.',
  'mail.late.next':
    'Talk to the customer, then decide. If the contract should stand, accept the late signature and give a reason, on the request page or with the command below. If not, reset the signature to send a new contract: `%command%`.',

  'mail.replaced.subject': 'A replaced contract was signed: %reference% (%customer%)',
  'mail.replaced.intro':
    '%customer% has signed contract %old%, which has been replaced by contract %contract%. Only contract %contract% counts; this signature did not change the request.',
  'mail.replaced.next':
    'Explain this to the customer, who may believe that everything is done. The command below shows contract %contract% and, until it is signed, its link.',

  'mail.canceled_signed.subject': 'Signed after cancellation, please check: %reference% (%customer%)',
  'mail.canceled_signed.intro':
    '%customer% has signed the maintenance contract, but the request had already been canceled. The signature does not count, and the request is unchanged.',
  'mail.canceled_signed.next':
    'Talk to the customer, who may believe that everything is done, then decide. If the work is wanted after all, reopen the request and start the signature again. If not, settle the case with a reason.',

  'mail.foreign.subject': 'Mismatched document at the signature provider: %reference% (%customer%)',
  'mail.foreign.intro':
    'The signature provider has a signature request that seems to belong to this contract, but its name, signer or creation time does not match. Nothing from it was stored, sent or changed.',
  'mail.foreign.served':
    'The contract for %customer% is sent under a separate name, so nothing is missing. Check in the provider’s console where the other document comes from. It may date from before a backup was restored, or come from another installation on the same account.',
  'mail.foreign.stopped':
    'The request is still waiting for a signature. Check in the provider’s console where the document comes from. Then reset the signature: a new contract is created and sent.',
  'mail.payment_failed.subject': 'Payment failed: %reference% (%customer%)',
  'mail.payment_failed.intro':
    'The payment from %customer% failed. The contract stays signed, and the request is still waiting for the payment.',
  'mail.payment_failed.next': 'Agree with the customer on another attempt or another way to pay.',
  'mail.old_session_paid.subject': 'A payment that does not count, please check: %reference% (%customer%)',
  'mail.old_session_paid.intro':
    '%customer% has paid through a link that does not count: it belongs to an earlier contract, or the request was already complete. This payment did not complete the request.',
  'mail.old_session_paid.next':
    'Decide whether the payment should stand or be refunded. The request’s page, or the command below, shows how things stand and what to do next. Until you have decided, the customer is not asked to pay.',

  'mail.paid_unsigned.subject': 'Paid, but no signature is known: %reference% (%customer%)',
  'mail.paid_unsigned.intro':
    '%customer% has paid, but this server knows of no signature. After a restore, the signature may be missing here.',
  'mail.paid_unsigned.next':
    'Check the signature: if the contract is signed, the payment counts and the request is complete.',

  'mail.canceled_paid.subject': 'Paid after cancellation, please check: %reference% (%customer%)',
  'mail.canceled_paid.intro':
    '%customer% has paid, but the request is canceled. The payment was recorded; the request stays canceled.',
  'mail.canceled_paid.next':
    'Either refund the payment at the payment provider and settle the case with a reason, or agree on the work with the customer and reopen the request. In the second case, complete the request by hand once the new contract is signed; this accepts the payment.',

  'mail.other_price.subject': 'Different amount paid, please check: %reference% (%customer%)',
  'mail.other_price.intro':
    'A payment from %customer% names this contract but does not match its price. It was not applied, and the request was not completed.',
  'mail.other_price.next':
    'Look the payment up at the payment provider, compare it with the price, and decide whether it should stand or be refunded. The request’s page, or the command below, shows how things stand and what to do next. Until you have decided, the customer is not asked to pay.',

  'mail.webhook_disabled.subject': 'Webhook %id% switched off',
  'mail.webhook_disabled.intro':
    'A webhook was switched off because its deliveries have been failing for more than a day.',
  'mail.webhook_disabled.gone':
    'A webhook was switched off because its receiver answered that it is gone for good (410).',
  'mail.webhook_disabled.next':
    'Ask the owner of the address to fix it. Then switch the webhook on again; you can resend all failed deliveries at once.',
  'mail.run_failing.subject': 'Failed: %work%',
  'mail.run_failing.intro.backup':
    'The scheduled backup failed. No new backup will be made until the cause is fixed; earlier backups are untouched.',
  'mail.run_failing.intro.expire':
    'The daily expiry failed. Contracts past their deadline stay open until the cause is fixed.',
  'mail.run_failing.intro.care':
    'The nightly housekeeping failed. Nothing is lost; old data is not removed until the cause is fixed.',
  'mail.run_failing.next':
    'The command below shows what to do. You will not be notified about this again until a run has succeeded.',
  'mail.digest.subject': 'Needs attention: %count%',
  'mail.digest.intro': 'These cases need attention, oldest first.',
  'mail.digest.no_request': 'Installation',
  'mail.digest.need': 'Since %since%: %what% (%next%)',
  'mail.digest.action': 'Open the list',
  'mail.digest.more': 'There are more cases: the list shows them all.',
  'mail.jobs_failed.subject': 'Jobs failed for good: %count%',
  'mail.jobs_failed.intro':
    'Since %since%, these jobs have run out of attempts. They will not be retried automatically.',
  'mail.jobs_failed.action': 'Open the failed jobs',
  'mail.jobs_failed.next': 'Once the cause is fixed, run them again.',
  'run.digest': 'daily summary e-mail',
  'mail.run_failing.intro.digest':
    'The daily summary e-mail could not be prepared. `%command%` shows the same list.',
  'mail.run_failing.intro.snapshot':
    'The snapshot of the data failed. No new off-site copy is made until the cause is fixed.',
  'mail.run_failing.intro.offsite':
    'No off-site copy of the data has been made for too long. If the server is lost now, everything since the last copy is lost with it.',
  'run.snapshot': 'data snapshot',
  'run.offsite': 'off-site copy',
  'run.mail': 'sending of e-mails',
  'run.backup': 'scheduled backup',
  'run.expire': 'daily expiry',
  'run.care': 'nightly housekeeping',
  'run.reconcile': 'bulk check',
  'run.trails': 'collection of audit trails',
  'run.payments': 'payment check',
  'run.reminders': 'sending of reminders',
  'payment.product': 'Maintenance contract %reference%: %title%',
  'page.pay_unknown.title': 'This link does not work',
  'page.pay_unknown.text':
    'It may be incomplete, or the request may have been closed. Copy the whole address from our message, or reply to that message.',
  'page.pay_paid.title': 'Paid, thank you',
  'page.pay_paid.text':
    'We have received your payment. You can close this page; there is nothing more to do.',
  'page.pay_pending.title': 'Your payment is on its way',
  'page.pay_pending.text':
    'We have been notified of your payment, and the money is on its way to us. This may take a few days. Please do not pay again; there is nothing more to do.',
  'page.pay_in_review.title': 'We are checking your payment',
  'page.pay_in_review.text':
    'We have received a payment from you and are checking it. Please do not pay again; we will write to you.',
  'page.pay_busy.title': 'One moment',
  'page.pay_busy.text': 'Your payment page is being prepared. This page reloads automatically.',
  'page.pay_unavailable.title': 'Not possible at the moment',
  'page.pay_unavailable.text':
    'The payment page cannot be opened right now. Nothing was charged. Please try again in a few minutes; your link stays valid.',
  'page.pay_limited.title': 'Too many attempts',
  'page.pay_limited.text':
    'This link was opened too often within a minute. Please wait a moment and try again.',
  'page.paid.title': 'Thank you',
  'page.paid.text': 'Your payment is being confirmed. You can close this page; there is nothing more to do.',
} as const;

export const en = joined(generalEn, explainEn, pagesEn, recordsEn, listsEn, accountsEn);
