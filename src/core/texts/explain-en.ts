/** Words of the time line of a request: the operator's, in English. */
export const explainEn = {
  'explain.title': '%reference% (request %id%): %title%',
  'explain.customer': 'customer',
  'explain.contract': 'contract',
  'explain.no_contract': 'no contract',
  'explain.other': 'also of this customer: %reference%, %status%',
  'explain.time': 'TIME',
  'explain.who': 'WHO',
  'explain.what': 'WHAT',
  'explain.noted': '%message%: %note%',
  'explain.earlier': 'Earlier entries:',
  'explain.verdict': 'Verdict:',
  'explain.also': 'Also:',
  'explain.next': 'Next:',
  'explain.nothing': 'no action needed',

  'timeline.request.created': 'Request entered',
  'timeline.request.changed': 'Request changed',
  'timeline.request.moved': 'Status changed from “%from%” to “%to%”',
  'timeline.request.deleted': 'Request %reference% removed',
  'timeline.request.settled': 'The case was settled',
  'timeline.request.settled_payments': 'The case was settled for %payments%',
  'timeline.offer.created': 'Offer %reference% created',
  'timeline.offer.changed': 'Offer %reference% changed, now %status%',
  'timeline.offer.deleted': 'Offer %reference% removed',
  'timeline.troubleshooting.created': 'Troubleshooting %reference% reported',
  'timeline.troubleshooting.changed': 'Troubleshooting %reference% changed, now %status%',
  'timeline.troubleshooting.deleted': 'Troubleshooting %reference% removed',
  'timeline.contract.created': 'Contract %contract% created',
  'timeline.contract.sent': 'Contract %contract% sent to the customer for signature',
  'timeline.contract.sent_outdated':
    'Contract %contract% sent to the customer for signature, with its earlier text and price',
  'timeline.contract.signed': 'Contract %contract% signed on %signedAt%; the signed PDF is stored',
  'timeline.contract.pdf_replaced':
    'Signed PDF of contract %contract% fetched again: it differs from the one stored before',
  'timeline.contract.pdf_fetched': 'Signed PDF of contract %contract% fetched again',
  'timeline.contract.signed_late':
    'Contract %contract% was signed after the deadline, or nothing proves that it was signed in time',
  'timeline.contract.foreign_signature':
    'Signature request %signId% at the provider has the name or ID of contract %contract% but does not belong to it; it was ignored',
  'timeline.contract.last_moment_told':
    'The signature provider gives %to% as the deadline for signing contract %contract%',
  'timeline.contract.replaced_signed':
    'The customer signed contract %contract%, which contract %by% has replaced; it does not count',
  'timeline.contract.canceled_signed':
    'The customer signed contract %contract% after the request was canceled; it does not count',
  'timeline.contract.trail_kept': 'The signature provider’s audit trail of contract %contract% is stored',
  'timeline.contract.signer_corrected':
    'Signer of contract %contract% corrected at the signature provider, which sends the link again',
  'timeline.contract.signer_refused':
    'The signature provider could not deliver its e-mail for contract %contract% to the customer',
  'timeline.contract.second_accepted': 'Signature on a second document for contract %contract% accepted',
  'timeline.contract.late_accepted': 'Late signature of contract %contract% accepted',
  'timeline.contract.signer_error':
    'An error occurred at the signature provider while the customer was signing',
  'timeline.ended.signer_error':
    'Contract %contract% ended: an error occurred at the signature provider while the customer was signing',
  'timeline.ended.declined': 'Contract %contract% ended: the customer declined',
  'timeline.ended.canceled': 'Contract %contract% ended: canceled at the signature provider',
  'timeline.ended.rejected': 'Contract %contract% ended: rejected at the signature provider',
  'timeline.ended.deleted': 'Contract %contract% ended: deleted at the signature provider',
  'timeline.ended.expired': 'Contract %contract% ended: expired at the signature provider',
  'timeline.ended.not_found': 'Contract %contract% ended: the signature provider does not know it',
  'timeline.ended.reset': 'Contract %contract% ended: the signature was reset',
  'timeline.ended.replaced': 'Contract %contract% ended before it was sent: its content was out of date',
  'timeline.ended.request_canceled': 'Contract %contract% ended: the request was canceled',
  'timeline.ended.date_passed': 'Contract %contract% ended: the deadline for signing has passed',
  'timeline.ended.other': 'Contract %contract% ended',
  'timeline.payment.session_created': 'Payment page created',
  'timeline.payment.session_found':
    'Payment session %paymentId% found at the payment provider: it had already been created for this contract',
  'timeline.payment.reminded': 'Customer reminded to pay',
  'timeline.signature.reminded': 'Signature provider reminded the customer to sign',
  'timeline.payment.session_expired': 'Payment page expired',
  'timeline.payment.session_closed': 'Payment page closed by us',
  'timeline.payment.pending': 'The customer has paid; the money is on its way',
  'timeline.payment.failed': 'Payment failed: %paymentId%',
  'timeline.payment.received': 'Payment received: %paid%',
  'timeline.payment.canceled_paid': 'Paid after the request was canceled: %paid% (%paymentId%)',
  'timeline.payment.paid_unsigned': 'Paid before a signature was known here: %paid% (%paymentId%)',
  'timeline.payment.old_session_paid': 'Paid through an outdated payment link: %paid% (%paymentId%)',
  'timeline.payment.other_price': 'Paid, but not applied, because it is not the price: %paid% (%paymentId%)',
  'timeline.signature.checked': 'Signature provider asked: %answer%',
  'timeline.payment.checked': 'Payment provider asked: %answer%',
  'timeline.payment.renewed': 'New payment link requested',
  'timeline.inbox.replayed': 'Webhook %event% processed again by hand',
  'timeline.job.pushed': 'Job %job% (%name%) retried by hand',
  'timeline.job.replayed': 'Job %job% (%name%) run again by hand',
  'timeline.job.removed': 'Job %job% (%name%) removed by hand: it will not run',
  'timeline.mail.sent': 'Sent: %mail%',
  'timeline.mail.sent_bare': 'Sent: %mail%, without the PDF, which is too large for the mail server',
  'timeline.webhook.redelivered': 'Delivery %deliveryId% (%event%) to webhook %webhookId% sent again by hand',
  'timeline.webhook.received': 'Webhook of the %source% received: “%event%”; %outcome%',
  'timeline.webhook.rejected': 'Webhook for the %source% rejected: %reason% (from %address%, %size% bytes)',
  'timeline.source.signature': 'signature provider',
  'timeline.source.payment': 'payment provider',
  'timeline.job.try_failed': 'Attempt %attempt% of %tries% failed: %name% (job %job%)',
  'timeline.job.failed': 'Failed for good after %attempt% attempts: %name% (job %job%)',
  'timeline.job.tries_not_kept':
    '%missing% more attempts failed; their errors are not kept: %name% (job %job%)',
  'timeline.job.completed': 'Done on attempt %attempt%: %name% (job %job%)',
  'timeline.job.dropped': 'Not delivered because the webhook is off: %name% (job %job%)',
  'timeline.job.next_try': 'Next attempt: %name% (job %job%)',
  'timeline.job.due': 'Overdue: %name% (job %job%)',
  'timeline.job.running': 'Under way: %name% (job %job%)',
  'timeline.date.sign_before': 'The deadline for signing contract %contract% passed',
  'timeline.date.sign_link': 'The signing link of contract %contract% expired',
  'timeline.date.payment_link': 'The payment page expired',

  'job.name.create-payment-session': 'payment page',
  'job.name.complete-signature': 'completion of the signature',
  'job.name.send-mail': 'e-mail',
  'job.name.deliver-webhook': 'outbound webhook',
  'job.name.confirm-end': 'confirmation of the contract’s end',
  'job.name.correct-signer': 'correction of the signer',
  'job.name.delivery': 'outbound webhook, delivery %delivery%',
  'mail.name.contract-signed': 'e-mail with the signed contract to the customer',
  'mail.name.admin-signed': 'e-mail “signed” to the administrator',
  'mail.name.payment-link': 'e-mail with the payment link to the customer',
  'mail.name.payment-reminder': 'e-mail reminding the customer to pay',
  'mail.name.payment-received': 'e-mail “payment received” to the customer',
  'mail.name.admin-paid': 'e-mail “paid” to the administrator',
  'mail.name.contract-ended': 'e-mail “contract ended” to the administrator',
  'mail.name.replaced-signed': 'e-mail “a replaced contract was signed” to the administrator',
  'mail.name.canceled-signed': 'e-mail “signed after cancellation” to the administrator',
  'mail.name.request-canceled': 'e-mail “your request has been canceled” to the customer',
  'mail.name.signed-late': 'e-mail “signed late” to the administrator',
  'mail.name.foreign-signature':
    'e-mail “mismatched document at the signature provider” to the administrator',
  'mail.name.payment-trouble': 'e-mail “problem with the payment” to the administrator',

  'inbox.event.signature_request.done': 'signed',
  'inbox.event.signature_request.declined': 'declined',
  'inbox.event.signature_request.expired': 'expired',
  'inbox.event.signature_request.canceled': 'canceled',
  'inbox.event.signature_request.rejected': 'rejected',
  'inbox.event.signature_request.deleted': 'deleted',
  'inbox.event.signer.error': 'error while signing',
  'inbox.event.signer.notification_delivery_failed': 'e-mail not delivered',
  'inbox.event.checkout.session.completed': 'checkout completed',
  'inbox.event.checkout.session.expired': 'page expired',
  'inbox.event.checkout.session.async_payment_succeeded': 'payment succeeded',
  'inbox.event.checkout.session.async_payment_failed': 'payment failed',
  'inbox.outcome.received': 'not processed yet',
  'inbox.outcome.completed': 'the contract was completed',
  'inbox.outcome.repeat': 'it had already been processed',
  'inbox.outcome.late': 'refused: signed too late',
  'inbox.outcome.foreign': 'not used: the document at the provider does not belong to this contract',
  'inbox.outcome.not_signable': 'refused: the request was not waiting for this signature',
  'inbox.outcome.not_used': 'ignored: we do not use it',
  'inbox.outcome.declined': 'the contract was closed',
  'inbox.outcome.signer_refused': 'the provider’s e-mail did not reach the customer',
  'inbox.outcome.signer_error':
    'the contract was closed: an error occurred at the provider while the customer was signing',
  'inbox.outcome.not_found': 'the contract was closed: the provider does not know it',
  'inbox.outcome.not_confirmed': 'ignored: the provider says otherwise',
  'inbox.outcome.expired': 'the contract was closed',
  'inbox.outcome.canceled': 'the contract was closed, or we had canceled it ourselves',
  'inbox.outcome.rejected': 'the contract was closed',
  'inbox.outcome.deleted': 'the contract was closed',
  'inbox.outcome.paid': 'the request is paid',
  'inbox.outcome.paid_unsigned': 'paid before a signature was known here',
  'inbox.outcome.old_session_paid': 'paid, but the payment does not count: please check',
  'inbox.outcome.other_price': 'paid with a different amount or currency: please check',
  'inbox.outcome.not_paid_yet': 'the money is still on its way',
  'inbox.outcome.payment_failed': 'the payment failed',
  'inbox.outcome.session_expired': 'the payment link has expired',
  'inbox.outcome.unknown_session': 'not one of our payment pages',
  'inbox.outcome.second_document': 'a second document for the contract',
  'inbox.outcome.unknown_signature': 'not one of our signature requests',
  'inbox.rejected.missing_signature': 'it had no signature',
  'inbox.rejected.wrong_signature': 'its signature is wrong',
  'inbox.rejected.unusable_body': 'its content is unusable',
  'inbox.rejected.unknown_sign_id': 'its signId is unknown',
  'inbox.rejected.thin_event': 'it is a thin event, which does not say what was paid',
  'inbox.rejected.too_large': 'it was too large',

  check_payment_success: 'The customer has paid. The request is complete.',
  'check_payment_info.open': 'The customer has not paid yet; the payment link works.',
  'check_payment_info.pending':
    'The customer has paid, and the money is still on its way. The request is waiting for it.',
  'check_payment_info.expired': 'The payment link has expired. Renew it to send the customer a new one.',
  'check_payment_info.closed':
    'No payment is due, but this request still had a payment page that worked. The check closes it.',
  not_waiting_payment: 'This request is not waiting for a payment.',
  no_payment_session: 'This request has no payment link yet. Renew it to make one.',
  payment_session_not_found:
    'The payment provider does not know this payment link. Renew it to send the customer a new one.',
  old_session_paid:
    'The customer has paid, but the payment does not count: someone has to decide what to do.',
  payment_unavailable:
    'The payment provider cannot be reached. Nothing was changed; try again in a few minutes. If this continues, `%command%` shows why.',

  'reply.preparing':
    'We have received your request “%title%” (%reference%). We are preparing the contract for it. You will get it by e-mail, with a link to sign it.',
  'reply.sign':
    'The contract for your request “%title%” (%reference%) is waiting for your signature. You can sign it until %date% with the link that you received by e-mail. If you cannot find the link, even in your spam folder, tell us and we will send it again.',
  'reply.sign_newest':
    'The contract for your request “%title%” (%reference%) has been replaced by a new one, so earlier links no longer work. You can sign it until %date% with the link in the newest e-mail. If you cannot find that e-mail, even in your spam folder, tell us and we will send it again.',
  'reply.declined':
    'You declined the contract for your request “%title%” (%reference%). You owe nothing, and we will take no further steps. If you did not mean to decline, tell us and we will send you a new contract.',
  'reply.sign_over':
    'The deadline for signing the contract for your request “%title%” (%reference%) has passed. It was %date%, so the link no longer works. If you still want the work, tell us and we will send you a new contract.',
  'reply.new_contract':
    'The contract for your request “%title%” (%reference%) can no longer be signed. We are taking care of it. You will get a new one by e-mail, with a new link to sign it.',
  'reply.late':
    'We have received your signature for your request “%title%” (%reference%). It arrived after the last day to sign, %date%, so we need to review it. You do not have to do anything; we will get back to you.',
  'reply.checking':
    'We are looking into your request “%title%” (%reference%). At the moment, we cannot say for certain where it stands. You do not have to do anything; we will get back to you.',
  'reply.signed':
    'We have received your signature for your request “%title%” (%reference%), thank you. We are finishing our part now. You will get the signed contract and the payment link by e-mail.',
  'reply.replaced':
    'You have signed an earlier version of the contract for your request “%title%” (%reference%). It has been replaced, so that signature does not count. Please sign the new contract with the newest link that you received by e-mail.',
  'reply.pay':
    'Your contract for the request “%title%” (%reference%) is signed, thank you. The payment of %amount% is still outstanding. You can pay here at any time: %link%',
  'reply.pay_soon':
    'Your contract for the request “%title%” (%reference%) is signed, thank you. We are preparing the payment of %amount%. You will get the payment link by e-mail.',
  'reply.pay_pending':
    'Your payment of %amount% for the request “%title%” (%reference%) is on its way, thank you. With this payment method, it takes a few days to arrive. You do not have to do anything; please do not pay a second time.',
  'reply.pay_failed':
    'Your payment of %amount% for the request “%title%” (%reference%) did not go through. Your bank declined it. You can try again here: %link%',
  'reply.pay_check':
    'We have received a payment for your request “%title%” (%reference%). It does not match what we expected, so we need to review it. Please do not pay again; we will get back to you.',
  'reply.paid':
    'We have received your payment for the request “%title%” (%reference%), thank you. We are finishing our part now. You do not have to do anything more.',
  'reply.complete':
    'Your contract for the request “%title%” (%reference%) is signed and paid, thank you. Everything is complete. You do not have to do anything more.',
  'reply.canceled':
    'Your request “%title%” (%reference%) has been canceled. There is nothing left to sign or to pay. If you still want the work, tell us.',
  'reply.after_cancel':
    'Your request “%title%” (%reference%) had been canceled before your signature or payment reached us. We are looking into it. You do not have to do anything; we will get back to you.',
  'todo.webhook_disabled':
    'Webhook %webhook% is switched off because its receiver kept failing (%error%). %url%',
  'todo.unknown_signature':
    'The signature provider has a document of this installation that is not recorded here: “%name%” (%sign%). %advice% When that is done, settle the case to end this reminder.',
  'todo.held':
    'The data was restored from a backup made on %madeAt% and is held: nothing is sent until it has been compared with both providers.',
  'todo.thin_events':
    'Payment webhooks are rejected because they do not say what was paid: the endpoint at the payment provider is set up for thin payloads. Switch it to snapshot payloads.',
  'todo.mail_server': 'The mail server refuses all mail from us, so no customer receives any: %error%',
  'todo.run_late': 'The %run% did not run on time.',
  'todo.run_failing': 'The %run% is failing: %error%',
  'finding.not_started': 'Nobody has sent the contract yet. Start the signature to send it.',
  'finding.start_unfinished':
    'The contract was created, but sending it was interrupted: the customer has received nothing. Start the signature again to continue.',
  'finding.start_refused':
    'The contract could not be sent, and the customer has received nothing. %why% Then start the signature again.',
  'finding.start_pdf_lost':
    'The contract was created, but sending it was interrupted, and the PDF that was supplied for it is no longer here: the customer has received nothing. Start the signature again, and supply the PDF again.',
  'finding.start_ended':
    'The contract was sent, but it has ended: %end%. If the work is still wanted, start the signature to send a new contract.',
  'finding.sending_unknown':
    'The signature provider was asked to send the contract, but its answer never arrived: the customer may have the contract. A check asks the provider and brings the request up to date. Starting the signature again is safe too: no second contract is sent.',
  'finding.sending_got_through':
    'The contract is with the customer, although sending it was interrupted here. A check brings the request up to date.',
  'finding.sending_signed':
    'The customer has signed the contract, although sending it was interrupted here. A check brings the request up to date.',
  'finding.signer_name':
    'The signature provider will not accept the customer’s name “%name%”. Correct the first and last name of %email% with the command below, then start the signature.',
  'finding.signer_letter':
    'The signature provider does not allow “%letter%” in a name, so it will not accept “%name%”. Correct the name of %email% with the command below, then start the signature.',
  'finding.signer_email':
    'The signature provider will not accept the customer’s e-mail address “%email%”. It accepts at most 100 characters: unaccented letters, digits and . _ + -, and a domain with a dot. Correct the address with the command below, then start the signature.',
  'finding.busy': 'Someone is working on this request right now. Look again in a moment.',
  'finding.contract_missing':
    'The request is waiting for a signature, but it has no contract. A reset creates one and sends it.',
  'finding.reset_unfinished':
    'Sending the contract was interrupted: the customer has received nothing. Reset the signature to continue.',
  'finding.reset_refused':
    'The new contract could not be sent, and the customer has not received it. %why% Then reset the signature again.',
  'finding.provider_key':
    'The signature provider refuses our API key. Until ESIGN_API_KEY is corrected, contracts can be neither sent nor checked.',
  'finding.provider_down':
    'The signature provider gave no usable answer (%error%). Nothing is lost; check again later.',
  'finding.provider_forbids':
    'The signature provider does not permit us to ask (%error%). Either ESIGN_API_KEY is the wrong key, or the account lacks a feature.',
  'finding.provider_unrecognised':
    'The signature provider answered 404, but not in its own format: a proxy answered, or something else at the address in ESIGN_API_URL. Nothing is lost.',
  'finding.signed_late':
    'The customer signed after the deadline, or nothing proves that it was in time, so the contract does not count. Agree with the customer whether it should stand. If so, run `%command%`. If not, a reset sends a new contract.',
  'finding.foreign_signature':
    'The signature request recorded for this contract does not belong to it: its name, signer or creation time does not match. Nothing from it was used. Check in the provider’s console where it comes from. If it is this customer’s, but has a corrected address that was lost in a restore, correct the address again (users set-email) and check the signature. Otherwise reset the signature.',
  'finding.second_document_signed':
    'The customer has signed a second document under this contract’s name at the signature provider (%sign%). It counts only if you accept it. Look at it in the provider’s console: if it is what was agreed, accept the signature; if not, settle the case.',
  'finding.second_document_open':
    'A second document under this contract’s name is open at the signature provider (%sign%), so the customer may sign the wrong one. Settle the case: this document is then canceled, and the other stays.',
  'finding.waiting_for_customer':
    'The contract is with the customer, who has not signed yet and can do so until %date%.',
  'finding.draft_there':
    'The signature provider still has the contract as a draft: the customer never got it. A reset sends a new one.',
  'finding.status_unknown':
    'The signature provider reports the status “%status%”. It must be dealt with in the provider’s console; nothing can be done here.',
  'finding.signature_not_asked':
    'As far as we know, the customer has not signed yet; the signature provider was not asked.',
  'finding.sign_link_over':
    'The customer has not signed, and the signing link has expired. Show the contract to get a new link for the customer.',
  'finding.ended_declined':
    'The customer declined the contract. If the work is still wanted, a reset sends a new one.',
  'finding.ended_declined_because':
    'The customer declined the contract: “%reason%”. If the work is still wanted, a reset sends a new one.',
  'finding.ended_canceled': 'The contract was canceled at the signature provider. A reset sends a new one.',
  'finding.ended_signer_error':
    'An error occurred at the signature provider while the customer was signing. The provider cancels the contract then. The document may be damaged. A reset sends a new contract.',
  'finding.ended_rejected': 'The contract was rejected at the signature provider. A reset sends a new one.',
  'finding.ended_deleted': 'The contract was deleted at the signature provider. A reset sends a new one.',
  'finding.ended_expired':
    'The time to sign ran out at the signature provider. A reset sends a new contract.',
  'finding.ended_not_found': 'The signature provider no longer knows this contract. A reset sends a new one.',
  'finding.ended_but_ongoing':
    '%why%. However, the signature provider now says that the contract can still be signed there; such a signature would not count. A reset cancels it there and sends a new one.',
  'finding.ended_date_passed':
    'The deadline for signing has passed, and the customer had not signed. A reset sends a new contract.',
  'finding.ended_reset': 'The contract was closed by a reset, and no new one was sent. A reset sends one.',
  'finding.completion_failed':
    'The customer has signed and the webhook came, but the signed contract could not be stored, and no attempts are left: %error%. Fix the cause, then run the job again.',
  'finding.completion_retrying':
    'The customer has signed and the webhook came, but the signed contract could not be stored yet: %error%. It will be retried automatically; `jobs push` retries now.',
  'explain.mend': 'A check brings the request up to date.',
  'explain.mend.soon': 'The bulk check will bring the request up to date at %date%; a check does it now.',
  'finding.webhook_lost':
    'The customer has signed, but the signature provider’s webhook never reached us. %mend%',
  'finding.webhook_wrong_signature':
    'The customer has signed, but the webhook was rejected because its signature was wrong: the secret at the signature provider is not the one in ESIGN_WEBHOOK_SECRET. A check brings this request up to date; correct the secret for the next ones.',
  'finding.webhook_turned_away': 'The customer has signed, but the webhook was rejected. %mend%',
  'finding.payment_job_failed':
    'The contract is signed, but the payment link could not be created, and no attempts are left: %error%. Fix the cause, then run the job again.',
  'finding.payment_job_retrying':
    'The contract is signed, but the payment link could not be created yet: %error%. It will be retried automatically; `jobs push` retries now.',
  'price.least': 'The payment provider accepts no less than %amount%.',
  'price.step': 'The payment provider accepts only multiples of %amount%.',
  'finding.start_unpayable':
    'The price of %price% cannot be paid, so the contract is not sent. %fault% Make another offer for the request, then start the signature.',
  'finding.sent_unpayable':
    'The contract is with the customer, but its price of %price% cannot be paid. %fault% Make another offer for the request, then reset the signature: a contract with the new price will be sent.',
  'finding.payment_unpayable':
    'The contract is signed, but its price of %price% cannot be paid online. %fault% Agree with the customer on another way to pay, then complete the request by hand.',
  'finding.payment_missing':
    'The contract is signed, but there is no payment link, and none is being created. Renewing creates one and sends it.',
  'finding.payment_gone':
    'The payment provider no longer knows the payment link. Renewing creates a new one and sends it.',
  'finding.payment_key':
    'The payment provider rejects our API key. Until ESIGN_PAYMENT_API_KEY is corrected, payment links can be neither created nor checked.',
  'finding.payment_down':
    'The payment provider is not answering (%error%). Nothing is lost; check again later.',
  'finding.payment_not_asked':
    'As far as we know, the customer has not paid yet; the payment provider was not asked.',
  'finding.payment_pending':
    'The customer has paid by a method that takes days, and the money is on its way. All you can do is wait; a check asks whether it has arrived.',
  'finding.payment_pending_since':
    'The customer has paid by a method that takes days: the money has been on its way since %date%. All you can do is wait; a check asks whether it has arrived.',
  'finding.payment_pending_long':
    'The customer has paid, but the money has been on its way since %date%, longer than bank transfers take. A check asks again. If the payment provider’s console says that the payment failed, `%command%` makes a new link.',
  'finding.payment_pending_gone':
    'The customer’s money has been on its way since %date%, and the payment provider no longer knows the payment: ESIGN_PAYMENT_API_KEY may belong to another account. Until this is cleared up, no new link is made, so that nobody pays twice. If the account is the right one and its console shows no such payment, `%command%` makes a new link.',
  'finding.payment_over':
    'The payment page has expired, and no payment has been reported. The link in the customer’s e-mail opens a new page; renewing creates one now and sends the link again.',
  'finding.payment_settled':
    'The payment that did not count is settled, and there is no payment page now. The link in the customer’s e-mail opens a new page; renewing creates one now and sends the link again.',
  'finding.payment_refused':
    'The bank declined the payment. Renewing gives the customer a new link to try again.',
  'finding.waiting_for_payment':
    'The contract is signed, and the customer has a payment link that works but has not paid yet.',
  'finding.paid_webhook_lost':
    'The customer has paid, but the payment provider’s webhook never reached us. %mend%',
  'finding.paid_webhook_off':
    'The customer has paid, but payment webhooks are switched off: ESIGN_PAYMENT_WEBHOOK_SECRET is not set. A check brings this request up to date.',
  'finding.paid_webhook_wrong_signature':
    'The customer has paid, but the webhook was rejected because its signature was wrong: the secret at the payment provider is not the one in ESIGN_PAYMENT_WEBHOOK_SECRET. A check brings this request up to date; correct the secret for the next ones.',
  'finding.paid_webhook_thin':
    'The customer has paid, but the webhook was rejected because it does not say what was paid: the endpoint at the payment provider is set up for thin payloads. Switch it to snapshot payloads. A check brings this request up to date.',
  'finding.old_session_paid':
    'The customer has paid, but through an outdated link (%payments%). If the payment should stand, complete the request by hand; otherwise refund it and run `%command%`.',
  'finding.other_price':
    'The customer has paid, but not the price of %price%: %payments%. The payment was not applied. If it should stand, complete the request by hand; otherwise refund it at the payment provider and run `%command%`.',
  'finding.other_price_there':
    'According to the payment provider, the customer paid %paid% instead of %price%. Run a check to record it, then decide whether it counts.',
  'finding.several_payments':
    'Several payments do not count and need a decision: %payments%. Completing the request by hand accepts %accepted%; refund the rest afterwards. If none of them should stand, refund them all and run `%command%`.',
  'finding.payment_undecided':
    'A payment that does not count needs a decision, but the money from another payment is still on its way. Wait until that money has arrived or that payment has failed; a check asks the payment provider.',
  'finding.paid_unsigned':
    'The customer has paid, but no signature is known here; after a restore, it may be missing. Check the signature: if the contract is signed, the payment counts.',
  'finding.paid_twice':
    'The request is complete, and the customer has paid more than was due. Refund %payments% at the payment provider, then settle the case with a reason.',
  'finding.earlier_contract_paid':
    'The customer has paid, but the payment does not count: it was made for an earlier contract, or its amount or currency does not match the price. If it should stand, wait until the next contract is signed, then complete the request by hand. Otherwise refund %payments% at the payment provider and settle the case with a reason. Until then the customer gets no payment link.',
  'finding.second_payment_pending':
    'The money from a payment that does not count has been on its way since %date%. If it arrives, the office gets a mail and decides whether to refund it.',
  'finding.canceled':
    'The request is canceled. If the work is wanted after all, `%command%` makes it new again.',
  'finding.canceled_erased': 'The request is canceled, and the customer’s data has been erased.',
  'finding.canceled_signed':
    'The customer signed the contract after the request was canceled. The signature does not count. Talk to the customer; then reopen the request (`%command%`), or settle the case with a reason.',
  'finding.canceled_paid':
    'The request is canceled, but the customer has paid. Refund %payments% at the payment provider and settle the case with a reason. Or agree on the work with the customer, reopen the request (`%command%`) and, once the new contract is signed, complete the request by hand; this accepts the payment.',
  'finding.canceled_signed_erased':
    'The customer signed the contract after the request was canceled. The signature does not count, and the customer’s data has been erased. Settle the case with a reason.',
  'finding.canceled_paid_erased':
    'The request is canceled and the customer’s data has been erased, but the customer has paid. Refund %payments% at the payment provider and settle the case with a reason.',
  'finding.finished': 'The request is complete.',
  'finding.old_contract_signed':
    'The customer signed contract %old%, but a reset had already replaced it with contract %contract%; only that one counts. Send the customer its link, which the command below shows.',
  'finding.contract_replaced':
    'The customer signed contract %old%, which contract %contract% has since replaced; only the new one counts. Explain this to the customer and send the link to the new one, which the command below shows.',
  'finding.pdf_missing':
    'The signed PDF of contract %contract% is no longer on disk. Fetch it again from the signature provider.',
  'finding.pdf_damaged':
    'The signed PDF of contract %contract% on disk is not the one that was stored: it has been damaged or changed. Fetch it again from the signature provider.',
  'finding.subscription_disabled':
    'Webhook %webhook% did not report this request: it was switched off because its receiver kept failing or said that it was gone. Switch it on again once the receiver works.',
  'finding.delivery_missed':
    'Outbound webhooks about this request never arrived because the webhook was off: delivery %deliveries%. They can be sent again.',
  'finding.mail_refused':
    'The mail server does not accept mail for this address: %names% (%error%). Contact the recipient another way, and run the job again once the address works.',
  'finding.mail_address':
    'The mail server does not accept mail for the customer’s address: %names% (%error%). Correct the address with the command below: the refused e-mails are then sent again.',
  'finding.mail_server':
    'The mail server refuses all mail from us, including: %names% (%error%). The customer’s address is not the cause.',
  'finding.signer_refused':
    'The signature provider could not deliver its e-mail to the customer’s address. Correct it with the command below: the provider then sends the link again.',
  'finding.signer_differs':
    'The customer’s address was corrected, but the signature provider still has the old one, %old% (%error%). The command below tries again; if the provider will not change it, reset the signature.',
  'finding.jobs_failed': 'Failed for good: %names% (%error%). Fix the cause, then run it again.',
  'finding.jobs_retrying':
    'Not done yet: %names% (%error%). It will be retried automatically; `jobs push` retries now.',
  'finding.daemon_down':
    'Jobs are waiting, but esignd is not running. Start it, or run them now with the command below.',
  'finding.held':
    'The data was restored and is held: nothing is sent until it has been compared with the providers.',
  'finding.deliveries_turned_away':
    'Webhooks that name this request were rejected because their signature was wrong: %count%.',
  'timeline.asked.known': 'The %source% now reports: %status%',
  'timeline.asked.gone': 'The %source% now says that it does not know this',
  'asked.signature.draft': 'a draft, never sent',
  'asked.signature.approval': 'waiting for approval',
  'asked.signature.ongoing': 'not signed yet',
  'asked.signature.done': 'signed',
  'asked.signature.declined': 'declined by the customer',
  'asked.signature.rejected': 'rejected in the approval step',
  'asked.signature.canceled': 'canceled',
  'asked.signature.expired': 'expired',
  'asked.signature.deleted': 'deleted',
  'asked.check_payment_success': 'paid',
  'asked.check_payment_info.open': 'not paid yet',
  'asked.check_payment_info.pending': 'paid, with the money still on its way',
  'asked.check_payment_info.expired': 'the payment page has expired',
  'timeline.asked.silent': 'The %source% gave no usable answer',
} as const;
