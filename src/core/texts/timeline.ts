/** What happened, as the history tells it: events, jobs, mails, answers of providers, and who acted. */
import { catalogue } from './catalogue.js';

export const timeline = catalogue({
  'timeline.request.created': { en: 'Request entered', fr: 'Demande enregistrée' },
  'timeline.request.changed': { en: 'Request changed', fr: 'Demande modifiée' },
  'field.title': { en: 'title', fr: 'titre' },
  'field.description': { en: 'description', fr: 'description' },
  'field.equipment': { en: 'equipment', fr: 'équipement' },
  'field.username': { en: 'e-mail address', fr: 'adresse e-mail' },
  'field.firstName': { en: 'first name', fr: 'prénom' },
  'field.lastName': { en: 'last name', fr: 'nom de famille' },
  'field.phone': { en: 'phone', fr: 'téléphone' },
  'field.locale': { en: 'language', fr: 'langue' },
  'field.address': { en: 'postal address', fr: 'adresse postale' },
  'field.url': { en: 'address', fr: 'adresse' },
  'field.secret': { en: 'secret', fr: 'secret' },
  'timeline.request.priced': {
    en: 'Price of the request set to %price%',
    fr: 'Prix de la demande fixé à %price%',
  },
  'timeline.request.unpriced': {
    en: 'The request no longer has a price of its own',
    fr: 'La demande n’a plus de prix particulier',
  },
  'timeline.request.moved': {
    en: 'Status changed from “%from%” to “%to%”',
    fr: 'État passé de « %from% » à « %to% »',
  },
  'timeline.request.deleted': { en: 'Request %reference% removed', fr: 'Demande %reference% supprimée' },
  'timeline.request.renewed': {
    en: 'Renewed by request %reference%',
    fr: 'Renouvelée par la demande %reference%',
  },
  'timeline.request.settled': { en: 'The case was settled', fr: 'Le cas a été réglé' },
  'timeline.request.settled_payments': {
    en: 'The case was settled for %payments%',
    fr: 'Le cas a été réglé pour %payments%',
  },
  'timeline.request.changed_fields': { en: 'Request changed: %fields%', fr: 'Demande modifiée : %fields%' },
  'timeline.request.exported': {
    en: 'Evidence exported as an archive of %files% files',
    fr: 'Preuves exportées dans une archive de %files% fichiers',
  },

  'timeline.price.set': {
    en: 'Price for “%words%” set to %price%',
    fr: 'Prix pour « %words% » fixé à %price%',
  },
  'timeline.price.removed': {
    en: 'Price for “%words%” taken off the list',
    fr: 'Prix pour « %words% » retiré de la liste',
  },
  'timeline.offer.created': { en: 'Offer %reference% created', fr: 'Offre %reference% établie' },
  'timeline.offer.changed': {
    en: 'Offer %reference% changed, now “%status%”',
    fr: 'Offre %reference% modifiée, maintenant « %status% »',
  },
  'timeline.offer.deleted': { en: 'Offer %reference% removed', fr: 'Offre %reference% supprimée' },

  'timeline.troubleshooting.created': {
    en: 'Troubleshooting %reference% reported',
    fr: 'Dépannage %reference% signalé',
  },
  'timeline.troubleshooting.changed': {
    en: 'Troubleshooting %reference% changed, now “%status%”',
    fr: 'Dépannage %reference% modifié, maintenant « %status% »',
  },
  'timeline.troubleshooting.deleted': {
    en: 'Troubleshooting %reference% removed',
    fr: 'Dépannage %reference% supprimé',
  },

  'timeline.contract.created': { en: 'Contract %contract% created', fr: 'Contrat %contract% établi' },
  'timeline.contract.sent': {
    en: 'Contract %contract% sent to the customer for signature',
    fr: 'Contrat %contract% envoyé au client pour signature',
  },
  'timeline.contract.sent_outdated': {
    en: 'Contract %contract% sent to the customer for signature, with its earlier text and price',
    fr: 'Contrat %contract% envoyé au client pour signature, avec son texte et son prix antérieurs',
  },
  'timeline.contract.signed': {
    en: 'Contract %contract% signed on %signedAt%; the signed PDF is stored',
    fr: 'Contrat %contract% signé le %signedAt% ; le PDF signé est enregistré',
  },
  'timeline.contract.pdf_replaced': {
    en: 'Signed PDF of contract %contract% fetched again: it differs from the one stored before',
    fr: 'PDF signé du contrat %contract% récupéré à nouveau : il diffère de celui qui avait été enregistré',
  },
  'timeline.contract.pdf_fetched': {
    en: 'Signed PDF of contract %contract% fetched again',
    fr: 'PDF signé du contrat %contract% récupéré à nouveau',
  },
  'timeline.contract.signed_late': {
    en: 'Contract %contract% was signed after the deadline, or cannot be shown to have been signed before it',
    fr: 'Contrat %contract% signé après la date limite, ou sans preuve qu’il l’ait été à temps',
  },
  'timeline.contract.foreign_signature': {
    en: 'Signature request %signId% at the provider has the name or ID of contract %contract% but does not belong to it; it was ignored',
    fr: 'Chez le prestataire, la demande de signature %signId% porte le nom ou le numéro du contrat %contract% mais n’est pas la sienne ; elle a été ignorée',
  },
  'timeline.contract.last_moment_told': {
    en: 'The signature provider gives %to% as the deadline for signing contract %contract%',
    fr: 'Le prestataire de signature fixe au %to% la date limite pour signer le contrat %contract%',
  },
  'timeline.contract.replaced_signed': {
    en: 'The customer signed contract %contract%, which contract %by% has replaced; it does not count',
    fr: 'Le client a signé le contrat %contract%, remplacé par le contrat %by% ; cette signature ne compte pas',
  },
  'timeline.contract.canceled_signed': {
    en: 'The customer signed contract %contract% after the request was canceled; it does not count',
    fr: 'Le client a signé le contrat %contract% après l’annulation de la demande ; cette signature ne compte pas',
  },
  'timeline.contract.trail_kept': {
    en: 'The signature provider’s audit trail of contract %contract% is stored',
    fr: 'Le dossier de preuve du prestataire de signature pour le contrat %contract% est enregistré',
  },
  'timeline.contract.signer_corrected': {
    en: 'Signer of contract %contract% corrected at the signature provider, which sends the link again',
    fr: 'Signataire du contrat %contract% corrigé chez le prestataire de signature, qui renvoie le lien',
  },
  'timeline.contract.signer_refused': {
    en: 'The signature provider could not deliver its e-mail for contract %contract% to the customer',
    fr: 'Le prestataire de signature n’a pas pu remettre au client son e-mail pour le contrat %contract%',
  },
  'timeline.contract.second_accepted': {
    en: 'Signature on a second document for contract %contract% accepted',
    fr: 'Signature d’un second document pour le contrat %contract% acceptée',
  },
  'timeline.contract.late_accepted': {
    en: 'Late signature of contract %contract% accepted',
    fr: 'Signature tardive du contrat %contract% acceptée',
  },
  'timeline.contract.signer_error': {
    en: 'An error occurred at the signature provider while the customer was signing',
    fr: 'Erreur chez le prestataire de signature pendant que le client signait',
  },

  'timeline.ended.signer_error': {
    en: 'Contract %contract% ended: an error occurred at the signature provider while the customer was signing',
    fr: 'Contrat %contract% clos : erreur chez le prestataire de signature pendant que le client signait',
  },
  'timeline.ended.declined': {
    en: 'Contract %contract% ended: the customer declined',
    fr: 'Contrat %contract% clos : le client a refusé',
  },
  'timeline.ended.canceled': {
    en: 'Contract %contract% ended: canceled at the signature provider',
    fr: 'Contrat %contract% clos : annulé chez le prestataire de signature',
  },
  'timeline.ended.rejected': {
    en: 'Contract %contract% ended: rejected at the signature provider',
    fr: 'Contrat %contract% clos : rejeté chez le prestataire de signature',
  },
  'timeline.ended.deleted': {
    en: 'Contract %contract% ended: deleted at the signature provider',
    fr: 'Contrat %contract% clos : supprimé chez le prestataire de signature',
  },
  'timeline.ended.expired': {
    en: 'Contract %contract% ended: expired at the signature provider',
    fr: 'Contrat %contract% clos : expiré chez le prestataire de signature',
  },
  'timeline.ended.not_found': {
    en: 'Contract %contract% ended: the signature provider does not know it',
    fr: 'Contrat %contract% clos : inconnu du prestataire de signature',
  },
  'timeline.ended.reset': {
    en: 'Contract %contract% ended: a new one was to be sent',
    fr: 'Contrat %contract% clos : un nouveau devait être envoyé',
  },
  'timeline.ended.replaced': {
    en: 'Contract %contract% ended before it was sent: its content was out of date',
    fr: 'Contrat %contract% clos avant son envoi : son contenu n’était plus à jour',
  },
  'timeline.ended.request_canceled': {
    en: 'Contract %contract% ended: the request was canceled',
    fr: 'Contrat %contract% clos : la demande a été annulée',
  },
  'timeline.ended.date_passed': {
    en: 'Contract %contract% ended: the deadline for signing has passed',
    fr: 'Contrat %contract% clos : la date limite de signature est passée',
  },
  'timeline.ended.term_over': {
    en: 'Contract %contract% ended: its term is over',
    fr: 'Contrat %contract% terminé : il est arrivé à son terme',
  },
  'timeline.ended.other': { en: 'Contract %contract% ended', fr: 'Contrat %contract% clos' },

  'timeline.payment.session_created': { en: 'Payment page created', fr: 'Page de paiement créée' },
  'timeline.payment.session_found': {
    en: 'Payment session %paymentId% found at the payment provider: it had already been created for this contract',
    fr: 'Page de paiement %paymentId% retrouvée chez le prestataire : elle avait déjà été créée pour ce contrat',
  },
  'timeline.payment.reminded': { en: 'Customer reminded to pay', fr: 'Client relancé pour le paiement' },
  'timeline.payment.session_expired': { en: 'Payment page expired', fr: 'Page de paiement expirée' },
  'timeline.payment.session_closed': {
    en: 'Payment page closed by us',
    fr: 'Page de paiement fermée par nous',
  },
  'timeline.payment.pending': {
    en: 'The customer has paid; the money is on its way',
    fr: 'Le client a payé, l’argent est en route',
  },
  'timeline.payment.given_up': {
    en: 'Stopped waiting for the money of %paymentId%',
    fr: 'L’argent de %paymentId% n’est plus attendu',
  },
  'timeline.payment.failed': { en: 'Payment failed: %paymentId%', fr: 'Le paiement a échoué : %paymentId%' },
  'timeline.payment.received': { en: 'Payment received: %paid%', fr: 'Paiement reçu : %paid%' },
  'timeline.payment.canceled_paid': {
    en: 'Paid after the request was canceled: %paid% (%paymentId%)',
    fr: 'Payé après l’annulation de la demande : %paid% (%paymentId%)',
  },
  'timeline.payment.paid_unsigned': {
    en: 'Paid before a signature was known here: %paid% (%paymentId%)',
    fr: 'Payé avant qu’une signature soit connue ici : %paid% (%paymentId%)',
  },
  'timeline.payment.old_session_paid': {
    en: 'Paid, but not counted: %paid% (%paymentId%)',
    fr: 'Payé, mais non pris en compte : %paid% (%paymentId%)',
  },
  'timeline.payment.other_price': {
    en: 'Paid, but not applied, because it is not the price: %paid% (%paymentId%)',
    fr: 'Payé, mais non pris en compte, car ce n’est pas le prix : %paid% (%paymentId%)',
  },
  'timeline.payment.checked': {
    en: 'Payment provider asked: %answer%',
    fr: 'Prestataire de paiement interrogé : %answer%',
  },
  'timeline.payment.renewed': { en: 'New payment link requested', fr: 'Nouveau lien de paiement demandé' },
  'timeline.payment.renewed_payments': {
    en: 'New payment link requested; the case was settled for %payments%',
    fr: 'Nouveau lien de paiement demandé ; le cas a été réglé pour %payments%',
  },

  'timeline.signature.reminded': {
    en: 'Signature provider reminded the customer to sign',
    fr: 'Client relancé pour la signature par le prestataire de signature',
  },
  'timeline.signature.checked': {
    en: 'Signature provider asked: %answer%',
    fr: 'Prestataire de signature interrogé : %answer%',
  },
  'timeline.payment.unknown': {
    en: 'Payment %paymentId% came for a contract that is not recorded here',
    fr: 'Paiement %paymentId% reçu pour un contrat qui n’est pas enregistré ici',
  },
  'timeline.payment.settled': {
    en: 'Payment %paymentId%, whose contract is not recorded here, was settled',
    fr: 'Paiement %paymentId%, dont le contrat n’est pas enregistré ici, réglé',
  },
  'timeline.signature.settled': {
    en: 'Document %signId% at the signature provider, not recorded here, was settled',
    fr: 'Document %signId% chez le prestataire de signature, non enregistré ici, réglé',
  },

  'timeline.inbox.replayed': {
    en: 'Webhook “%event%” processed again',
    fr: 'Webhook « %event% » traité à nouveau',
  },

  'timeline.job.pushed': {
    en: 'Tried again without waiting: %name%',
    fr: 'Nouvelle tentative sans attendre : %name%',
  },
  'timeline.job.replayed': {
    en: 'Started again after it had failed: %name%',
    fr: 'Relancé après un échec : %name%',
  },
  'timeline.job.removed': {
    en: 'Given up by decision: %name%',
    fr: 'Abandonné sur décision : %name%',
  },
  'timeline.job.try_failed': {
    en: 'Failed, to be tried again: %name%',
    fr: 'Échec, nouvelle tentative prévue : %name%',
  },
  'timeline.job.failed': {
    en: 'Failed for good: %name%',
    fr: 'Échec définitif : %name%',
  },
  'timeline.job.tries_not_kept': {
    en: 'Failed in between; the errors are not kept: %name%',
    fr: 'Échec entre-temps, erreurs non conservées : %name%',
  },
  'timeline.job.completed': {
    en: 'Done: %name%',
    fr: 'Fait : %name%',
  },
  'timeline.job.dropped': {
    en: 'Not delivered because the webhook is off: %name%',
    fr: 'Non envoyé, car le webhook est désactivé : %name%',
  },
  'timeline.job.next_try': {
    en: 'Next attempt: %name%',
    fr: 'Prochaine tentative : %name%',
  },
  'timeline.job.due': { en: 'Overdue: %name%', fr: 'En retard : %name%' },
  'timeline.job.running': { en: 'Under way: %name%', fr: 'En cours : %name%' },

  'timeline.mail.sent': { en: 'Sent: %mail%', fr: 'Envoyé : %mail%' },
  'timeline.mail.sent_bare': {
    en: 'Sent: %mail%, without the PDF, which is too large for the mail server',
    fr: 'Envoyé : %mail%, sans le PDF, trop volumineux pour le serveur de messagerie',
  },

  'timeline.webhook.redelivered': {
    en: 'Webhook “%event%” sent again',
    fr: 'Webhook « %event% » renvoyé',
  },
  'timeline.webhook.received': {
    en: 'Webhook of the %source% received: “%event%”; %outcome%',
    fr: 'Webhook du %source% reçu : « %event% » ; %outcome%',
  },
  'timeline.webhook.rejected': {
    en: 'Webhook for the %source% rejected: %reason% (from %address%, %size% bytes)',
    fr: 'Webhook pour le %source% rejeté : %reason% (de %address%, %size% octets)',
  },
  'timeline.webhook.created': {
    en: 'Webhook for %event% created: %url%',
    fr: 'Webhook pour %event% créé : %url%',
  },
  'timeline.webhook.changed': { en: 'Webhook changed', fr: 'Webhook modifié' },
  'timeline.webhook.changed_fields': { en: 'Webhook changed: %fields%', fr: 'Webhook modifié : %fields%' },
  'timeline.webhook.deleted': {
    en: 'Webhook for %event% removed: %url%',
    fr: 'Webhook pour %event% supprimé : %url%',
  },
  'timeline.webhook.disabled': { en: 'Webhook switched off', fr: 'Webhook désactivé' },
  'timeline.webhook.disabled_failing': {
    en: 'Webhook switched off because its receiver kept failing: %error%',
    fr: 'Webhook désactivé, car son destinataire échouait sans cesse : %error%',
  },
  'timeline.webhook.disabled_gone': {
    en: 'Webhook switched off because its receiver is gone for good: %error%',
    fr: 'Webhook désactivé, car son destinataire a disparu définitivement : %error%',
  },
  'timeline.webhook.enabled': { en: 'Webhook switched on again', fr: 'Webhook réactivé' },
  'timeline.webhook.pinged': { en: 'Webhook pinged', fr: 'Destinataire du webhook sollicité par un ping' },

  'timeline.source.signature': { en: 'signature provider', fr: 'prestataire de signature' },
  'timeline.source.payment': { en: 'payment provider', fr: 'prestataire de paiement' },

  'timeline.date.sign_before': {
    en: 'The deadline for signing contract %contract% passed',
    fr: 'La date limite pour signer le contrat %contract% est passée',
  },
  'timeline.date.sign_link': {
    en: 'The signing link of contract %contract% expired',
    fr: 'Le lien pour signer le contrat %contract% n’est plus valable',
  },
  'timeline.date.payment_link': {
    en: 'The payment page expired',
    fr: 'La page de paiement a expiré',
  },

  'job.name.create-payment-session': { en: 'payment page', fr: 'page de paiement' },
  'job.name.complete-signature': { en: 'completion of the signature', fr: 'finalisation de la signature' },
  'job.name.send-mail': { en: 'e-mail', fr: 'e-mail' },
  'job.name.deliver-webhook': { en: 'outbound webhook', fr: 'webhook sortant' },
  'job.name.confirm-end': {
    en: 'confirmation of the contract’s end',
    fr: 'confirmation de la fin du contrat',
  },
  'job.name.correct-signer': { en: 'correction of the signer', fr: 'correction du signataire' },
  'job.name.delivery': {
    en: 'outbound webhook, delivery %delivery%',
    fr: 'webhook sortant, envoi %delivery%',
  },

  'mail.name.contract-signed': {
    en: 'e-mail with the signed contract to the customer',
    fr: 'e-mail au client avec le contrat signé',
  },
  'mail.name.admin-signed': {
    en: 'e-mail “signed” to the administrator',
    fr: 'e-mail « signé » à l’administrateur',
  },
  'mail.name.payment-link': {
    en: 'e-mail with the payment link to the customer',
    fr: 'e-mail au client avec le lien de paiement',
  },
  'mail.name.payment-reminder': {
    en: 'e-mail reminding the customer to pay',
    fr: 'e-mail de rappel de paiement au client',
  },
  'mail.name.payment-received': {
    en: 'e-mail “payment received” to the customer',
    fr: 'e-mail « paiement reçu » au client',
  },
  'mail.name.admin-paid': {
    en: 'e-mail “paid” to the administrator',
    fr: 'e-mail « payé » à l’administrateur',
  },
  'mail.name.contract-ended': {
    en: 'e-mail “contract ended” to the administrator',
    fr: 'e-mail « contrat clos » à l’administrateur',
  },
  'mail.name.replaced-signed': {
    en: 'e-mail “a replaced contract was signed” to the administrator',
    fr: 'e-mail « un contrat remplacé a été signé » à l’administrateur',
  },
  'mail.name.canceled-signed': {
    en: 'e-mail “signed after cancellation” to the administrator',
    fr: 'e-mail « signé après l’annulation » à l’administrateur',
  },
  'mail.name.renewal': {
    en: 'e-mail about the renewal to the customer',
    fr: 'e-mail au client sur le renouvellement',
  },
  'mail.name.request-canceled': {
    en: 'e-mail “your request has been canceled” to the customer',
    fr: 'e-mail « votre demande a été annulée » au client',
  },
  'mail.name.signed-late': {
    en: 'e-mail “signed late” to the administrator',
    fr: 'e-mail « signé après la date limite » à l’administrateur',
  },
  'mail.name.foreign-signature': {
    en: 'e-mail “mismatched document at the signature provider” to the administrator',
    fr: 'e-mail « document étranger au contrat chez le prestataire de signature » à l’administrateur',
  },
  'mail.name.payment-trouble': {
    en: 'e-mail “problem with the payment” to the administrator',
    fr: 'e-mail « problème de paiement » à l’administrateur',
  },
  'mail.name.unknown-payment': {
    en: 'e-mail “payment for a contract that is not recorded here” to the administrator',
    fr: 'e-mail « paiement pour un contrat qui n’est pas enregistré ici » à l’administrateur',
  },
  'mail.name.webhook-disabled': {
    en: 'e-mail “webhook switched off” to the administrator',
    fr: 'e-mail « webhook désactivé » à l’administrateur',
  },
  'mail.name.run-failing': {
    en: 'e-mail “scheduled task failed” to the administrator',
    fr: 'e-mail « échec d’une tâche planifiée » à l’administrateur',
  },
  'mail.name.digest': {
    en: 'daily summary e-mail to the administrator',
    fr: 'récapitulatif quotidien par e-mail à l’administrateur',
  },
  'mail.name.jobs-failed': {
    en: 'e-mail “jobs failed for good” to the administrator',
    fr: 'e-mail « tâches en échec définitif » à l’administrateur',
  },
  'mail.name.invitation': {
    en: 'e-mail with the invitation to set a password',
    fr: 'e-mail d’invitation à définir un mot de passe',
  },
  'mail.name.password-reset': {
    en: 'e-mail with the link to set a new password',
    fr: 'e-mail avec le lien pour un nouveau mot de passe',
  },

  'inbox.event.signature_request.declined': { en: 'declined', fr: 'refusé' },
  'inbox.event.signature_request.rejected': { en: 'rejected', fr: 'rejeté' },
  'inbox.event.signer.error': { en: 'error while signing', fr: 'erreur pendant la signature' },
  'inbox.event.signer.notification_delivery_failed': {
    en: 'e-mail not delivered',
    fr: 'e-mail non distribué',
  },
  'inbox.event.checkout.session.completed': { en: 'checkout completed', fr: 'paiement validé' },
  'inbox.event.checkout.session.expired': { en: 'page expired', fr: 'page expirée' },
  'inbox.event.checkout.session.async_payment_succeeded': { en: 'payment succeeded', fr: 'paiement réussi' },
  'inbox.event.checkout.session.async_payment_failed': { en: 'payment failed', fr: 'échec du paiement' },

  'inbox.outcome.received': { en: 'not processed yet', fr: 'pas encore traité' },
  'inbox.outcome.completed': { en: 'the contract was completed', fr: 'le contrat a été finalisé' },
  'inbox.outcome.repeat': { en: 'it had already been processed', fr: 'il avait déjà été traité' },
  'inbox.outcome.late': { en: 'refused: signed too late', fr: 'refusé : signé après la date limite' },
  'inbox.outcome.foreign': {
    en: 'not used: the document at the provider does not belong to this contract',
    fr: 'non utilisé : le document du prestataire n’est pas celui de ce contrat',
  },
  'inbox.outcome.not_signable': {
    en: 'refused: the request was not waiting for this signature',
    fr: 'refusé : la demande n’attendait pas cette signature',
  },
  'inbox.outcome.not_used': { en: 'ignored: we do not use it', fr: 'ignoré : nous ne l’utilisons pas' },
  'inbox.outcome.declined': { en: 'the contract was closed', fr: 'le contrat a été clos' },
  'inbox.outcome.signer_refused': {
    en: 'the provider’s e-mail did not reach the customer',
    fr: 'l’e-mail du prestataire n’est pas parvenu au client',
  },
  'inbox.outcome.signer_error': {
    en: 'the contract was closed: an error occurred at the provider while the customer was signing',
    fr: 'le contrat a été clos : erreur chez le prestataire pendant que le client signait',
  },
  'inbox.outcome.not_found': {
    en: 'the contract was closed: the provider does not know it',
    fr: 'le contrat a été clos : le prestataire ne le connaît pas',
  },
  'inbox.outcome.not_confirmed': {
    en: 'ignored: the provider says otherwise',
    fr: 'ignoré : le prestataire dit autre chose',
  },
  'inbox.outcome.canceled': {
    en: 'the contract was closed, or we had canceled it ourselves',
    fr: 'le contrat a été clos, ou nous l’avions annulé nous-mêmes',
  },
  'inbox.outcome.paid': { en: 'the request is paid', fr: 'la demande est payée' },
  'inbox.outcome.paid_unsigned': {
    en: 'paid before a signature was known here',
    fr: 'payé avant qu’une signature soit connue ici',
  },
  'inbox.outcome.old_session_paid': {
    en: 'paid, but the payment does not count: please check',
    fr: 'payé, mais ce paiement ne compte pas : à examiner',
  },
  'inbox.outcome.other_price': {
    en: 'paid with a different amount or currency: please check',
    fr: 'payé avec un autre montant ou une autre devise : à examiner',
  },
  'inbox.outcome.not_paid_yet': { en: 'the money is still on its way', fr: 'l’argent est encore en route' },
  'inbox.outcome.payment_failed': { en: 'the payment failed', fr: 'le paiement a échoué' },
  'inbox.outcome.session_expired': {
    en: 'the payment page has expired',
    fr: 'la page de paiement a expiré',
  },
  'inbox.outcome.unknown_session': {
    en: 'not one of our payment pages',
    fr: 'ce n’est pas une de nos pages de paiement',
  },
  'inbox.outcome.unknown_payment': {
    en: 'paid for a contract that is not recorded here: please check',
    fr: 'payé pour un contrat qui n’est pas enregistré ici : à examiner',
  },
  'inbox.outcome.second_document': {
    en: 'a second document for the contract',
    fr: 'un second document pour le contrat',
  },
  'inbox.outcome.unknown_signature': {
    en: 'not one of our signature requests',
    fr: 'ce n’est pas une de nos demandes de signature',
  },

  'inbox.rejected.missing_signature': { en: 'it had no signature', fr: 'il ne portait pas de signature' },
  'inbox.rejected.wrong_signature': { en: 'its signature is wrong', fr: 'sa signature est incorrecte' },
  'inbox.rejected.unusable_body': { en: 'its content is unusable', fr: 'son contenu est inutilisable' },
  'inbox.rejected.unknown_sign_id': { en: 'its signId is unknown', fr: 'son signId est inconnu' },
  'inbox.rejected.thin_event': {
    en: 'it is a thin event, which does not say what was paid',
    fr: 'c’est un événement allégé, qui ne dit pas ce qui a été payé',
  },
  'inbox.rejected.too_large': { en: 'it was too large', fr: 'il était trop volumineux' },

  'timeline.asked.known': {
    en: 'The %source% now reports: %status%',
    fr: 'Réponse actuelle du %source% : %status%',
  },
  'timeline.asked.gone': {
    en: 'The %source% now says that it does not know this',
    fr: 'Le %source% répond qu’il ne connaît pas ce dossier',
  },
  'timeline.asked.silent': {
    en: 'The %source% gave no usable answer',
    fr: 'Le %source% n’a donné aucune réponse utilisable',
  },

  'asked.signature.draft': { en: 'a draft, never sent', fr: 'un brouillon, jamais envoyé' },
  'asked.signature.approval': { en: 'waiting for approval', fr: 'en attente d’approbation' },
  'asked.signature.ongoing': { en: 'not signed yet', fr: 'pas encore signé' },
  'asked.signature.done': { en: 'signed', fr: 'signé' },
  'asked.signature.declined': { en: 'declined by the customer', fr: 'refusé par le client' },
  'asked.signature.rejected': { en: 'rejected in the approval step', fr: 'rejeté lors de l’approbation' },
  'asked.signature.canceled': { en: 'canceled', fr: 'annulé' },
  'asked.signature.expired': { en: 'expired', fr: 'expiré' },
  'asked.signature.deleted': { en: 'deleted', fr: 'supprimé' },

  'asked.check_payment_success': { en: 'paid', fr: 'payé' },

  'asked.check_payment_info.open': { en: 'not paid yet', fr: 'pas encore payé' },
  'asked.check_payment_info.pending': {
    en: 'paid, with the money still on its way',
    fr: 'payé, l’argent est encore en route',
  },
  'asked.check_payment_info.expired': {
    en: 'no payment page is open',
    fr: 'aucune page de paiement n’est ouverte',
  },

  'timeline.equipment.created': {
    en: 'Equipment %equipmentId% added',
    fr: 'Équipement %equipmentId% ajouté',
  },
  'timeline.equipment.changed': {
    en: 'Equipment %equipmentId% changed',
    fr: 'Équipement %equipmentId% modifié',
  },
  'timeline.equipment.deleted': {
    en: 'Equipment %equipmentId% removed',
    fr: 'Équipement %equipmentId% supprimé',
  },

  'timeline.signatures.checked': {
    en: 'All waiting signatures checked: %checked%, %changed% of them changed',
    fr: 'Toutes les signatures en attente vérifiées : %checked%, dont %changed% modifiées',
  },
  'timeline.contracts.expired': {
    en: 'Contracts closed after their deadline: %expired%',
    fr: 'Contrats échus clos : %expired%',
  },

  'timeline.user.created': { en: 'Account opened', fr: 'Compte ouvert' },
  'timeline.user.password_set': { en: 'Password set', fr: 'Mot de passe défini' },
  'timeline.user.changed': { en: 'Name or phone changed', fr: 'Nom ou téléphone modifié' },
  'timeline.user.changed_fields': { en: 'Account changed: %fields%', fr: 'Compte modifié : %fields%' },
  'timeline.user.promoted': { en: 'Made an administrator', fr: 'Nommé administrateur' },
  'timeline.user.demoted': { en: 'No longer an administrator', fr: 'N’est plus administrateur' },
  'timeline.user.enabled': { en: 'Account reopened', fr: 'Compte rouvert' },
  'timeline.user.disabled': { en: 'Account closed', fr: 'Compte fermé' },
  'timeline.user.exported': {
    en: 'Everything about this person exported as an archive of %files% files',
    fr: 'Tout ce qui concerne cette personne exporté dans une archive de %files% fichiers',
  },
  'timeline.user.erased': { en: 'Personal data erased', fr: 'Données personnelles effacées' },
  'timeline.user.invited': { en: 'Invited to set a password', fr: 'Invité à définir un mot de passe' },
  'timeline.user.joined': {
    en: 'Password set through the invitation',
    fr: 'Mot de passe défini grâce à l’invitation',
  },
  'timeline.user.password_reset': {
    en: 'New password set through an e-mailed link',
    fr: 'Nouveau mot de passe défini grâce à un lien envoyé par e-mail',
  },

  'timeline.database.migrated': {
    en: 'Database upgraded to this version',
    fr: 'Base de données mise à niveau vers cette version',
  },

  'timeline.data.pruned': { en: 'Old data removed', fr: 'Anciennes données supprimées' },
  'timeline.data.restored': {
    en: 'Data restored from %file%, made at %madeAt%',
    fr: 'Données restaurées depuis %file%, sauvegarde du %madeAt%',
  },
  'timeline.data.taken_over': {
    en: 'Taken over from the backup of %madeAt%: signatures %signatures%, payments %payments%, lost %lost%',
    fr: 'Reprise depuis la sauvegarde du %madeAt% : signatures %signatures%, paiements %payments%, perdus %lost%',
  },
  'timeline.data.taken_over_left': {
    en: 'Taken over from the backup of %madeAt%: signatures %signatures%, payments %payments%, lost %lost%; left without an answer: %left%',
    fr: 'Reprise depuis la sauvegarde du %madeAt% : signatures %signatures%, paiements %payments%, perdus %lost% ; laissés sans réponse : %left%',
  },

  'timeline.settings.reloaded': { en: 'Settings changed: %names%', fr: 'Paramètres modifiés : %names%' },
  'who.webhook': { en: 'webhook', fr: 'webhook' },
  'who.schedule': { en: 'scheduled task', fr: 'tâche planifiée' },
  'who.job': { en: 'job', fr: 'tâche' },
  'who.provider': { en: 'provider', fr: 'prestataire' },
  'who.signal': { en: 'settings read again', fr: 'relecture des paramètres' },
  'who.restart': { en: 'start of the service', fr: 'démarrage du service' },
  'who.customer': { en: 'customer', fr: 'client' },
  'who.cli': { en: '%name% (esignctl)', fr: '%name% (esignctl)' },
});
