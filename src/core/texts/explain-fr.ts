/** Words of the time line of a request: the operator's, in French. */
export const explainFr = {
  'explain.title': '%reference% (demande %id%) : %title%',
  'explain.customer': 'client',
  'explain.contract': 'contrat',
  'explain.no_contract': 'pas de contrat',
  'explain.other': 'aussi de ce client : %reference%, %status%',
  'explain.time': 'QUAND',
  'explain.who': 'QUI',
  'explain.what': 'QUOI',
  'explain.noted': '%message% : %note%',
  'explain.earlier': 'Entrées plus anciennes :',
  'explain.verdict': 'Verdict :',
  'explain.also': 'Autres constats :',
  'explain.next': 'Ensuite :',
  'explain.nothing': 'aucune action requise',

  'timeline.request.created': 'Demande enregistrée',
  'timeline.request.changed': 'Demande modifiée',
  'timeline.request.moved': 'État passé de « %from% » à « %to% »',
  'timeline.request.deleted': 'Demande %reference% supprimée',
  'timeline.request.settled': 'Le cas a été réglé',
  'timeline.request.settled_payments': 'Le cas a été réglé pour %payments%',
  'timeline.offer.created': 'Offre %reference% établie',
  'timeline.offer.changed': 'Offre %reference% modifiée, maintenant %status%',
  'timeline.offer.deleted': 'Offre %reference% supprimée',
  'timeline.troubleshooting.created': 'Dépannage %reference% signalé',
  'timeline.troubleshooting.changed': 'Dépannage %reference% modifié, maintenant %status%',
  'timeline.troubleshooting.deleted': 'Dépannage %reference% supprimé',
  'timeline.contract.created': 'Contrat %contract% établi',
  'timeline.contract.sent': 'Contrat %contract% envoyé au client pour signature',
  'timeline.contract.sent_outdated':
    'Contrat %contract% envoyé au client pour signature, avec son texte et son prix antérieurs',
  'timeline.contract.signed': 'Contrat %contract% signé le %signedAt% ; le PDF signé est enregistré',
  'timeline.contract.pdf_replaced':
    'PDF signé du contrat %contract% récupéré à nouveau : il diffère de celui qui avait été enregistré',
  'timeline.contract.pdf_fetched': 'PDF signé du contrat %contract% récupéré à nouveau',
  'timeline.contract.signed_late':
    'Contrat %contract% signé après la date limite, ou sans preuve qu’il l’ait été à temps',
  'timeline.contract.foreign_signature':
    'Chez le prestataire, la demande de signature %signId% porte le nom ou le numéro du contrat %contract% mais n’est pas la sienne ; elle a été ignorée',
  'timeline.contract.last_moment_told':
    'Le prestataire de signature fixe au %to% la date limite pour signer le contrat %contract%',
  'timeline.contract.replaced_signed':
    'Le client a signé le contrat %contract%, remplacé par le contrat %by% ; cette signature ne compte pas',
  'timeline.contract.canceled_signed':
    'Le client a signé le contrat %contract% après l’annulation de la demande ; il ne compte pas',
  'timeline.contract.trail_kept':
    'Le dossier de preuve du prestataire de signature pour le contrat %contract% est enregistré',
  'timeline.contract.signer_corrected':
    'Signataire du contrat %contract% corrigé chez le prestataire de signature, qui renvoie le lien',
  'timeline.contract.signer_refused':
    'Le prestataire de signature n’a pas pu remettre au client son e-mail pour le contrat %contract%',
  'timeline.contract.second_accepted': 'Signature d’un second document pour le contrat %contract% acceptée',
  'timeline.contract.late_accepted': 'Signature tardive du contrat %contract% acceptée',
  'timeline.contract.signer_error': 'Erreur chez le prestataire de signature pendant que le client signait',
  'timeline.ended.signer_error':
    'Contrat %contract% clos : erreur chez le prestataire de signature pendant que le client signait',
  'timeline.ended.declined': 'Contrat %contract% clos : le client a refusé',
  'timeline.ended.canceled': 'Contrat %contract% clos : annulé chez le prestataire de signature',
  'timeline.ended.rejected': 'Contrat %contract% clos : rejeté chez le prestataire de signature',
  'timeline.ended.deleted': 'Contrat %contract% clos : supprimé chez le prestataire de signature',
  'timeline.ended.expired': 'Contrat %contract% clos : expiré chez le prestataire de signature',
  'timeline.ended.not_found': 'Contrat %contract% clos : inconnu du prestataire de signature',
  'timeline.ended.reset': 'Contrat %contract% clos : la signature a été réinitialisée',
  'timeline.ended.replaced': 'Contrat %contract% clos avant son envoi : son contenu n’était plus à jour',
  'timeline.ended.request_canceled': 'Contrat %contract% clos : la demande a été annulée',
  'timeline.ended.date_passed': 'Contrat %contract% clos : la date limite de signature est passée',
  'timeline.ended.other': 'Contrat %contract% clos',
  'timeline.payment.session_created': 'Page de paiement créée',
  'timeline.payment.session_found':
    'Page de paiement %paymentId% retrouvée chez le prestataire : elle avait déjà été créée pour ce contrat',
  'timeline.payment.reminded': 'Client relancé pour le paiement',
  'timeline.signature.reminded': 'Client relancé pour la signature par le prestataire de signature',
  'timeline.payment.session_expired': 'Page de paiement expirée',
  'timeline.payment.session_closed': 'Page de paiement fermée par nous',
  'timeline.payment.pending': 'Le client a payé, l’argent est en route',
  'timeline.payment.given_up': 'L’argent de %paymentId% n’est plus attendu par le bureau',
  'timeline.payment.failed': 'Le paiement a échoué : %paymentId%',
  'timeline.payment.received': 'Paiement reçu : %paid%',
  'timeline.payment.canceled_paid': 'Payé après l’annulation de la demande : %paid% (%paymentId%)',
  'timeline.payment.paid_unsigned': 'Payé avant qu’une signature soit connue ici : %paid% (%paymentId%)',
  'timeline.payment.old_session_paid': 'Payé, mais non compté : %paid% (%paymentId%)',
  'timeline.payment.other_price':
    'Payé, mais non pris en compte, car ce n’est pas le prix : %paid% (%paymentId%)',
  'timeline.signature.checked': 'Prestataire de signature interrogé : %answer%',
  'timeline.payment.checked': 'Prestataire de paiement interrogé : %answer%',
  'timeline.payment.renewed': 'Nouveau lien de paiement demandé',
  'timeline.inbox.replayed': 'Webhook %event% traité à nouveau à la main',
  'timeline.job.pushed': 'Tâche %job% (%name%) relancée sans attendre, à la main',
  'timeline.job.replayed': 'Tâche %job% (%name%) relancée à la main',
  'timeline.job.removed': 'Tâche %job% (%name%) retirée à la main : elle ne sera pas exécutée',
  'timeline.mail.sent': 'Envoyé : %mail%',
  'timeline.mail.sent_bare': 'Envoyé : %mail%, sans le PDF, trop volumineux pour le serveur de messagerie',
  'timeline.webhook.redelivered':
    'Livraison %deliveryId% (%event%) au webhook %webhookId% renvoyée à la main',
  'timeline.webhook.received': 'Webhook du %source% reçu : « %event% » ; %outcome%',
  'timeline.webhook.rejected': 'Webhook pour le %source% rejeté : %reason% (de %address%, %size% octets)',
  'timeline.source.signature': 'prestataire de signature',
  'timeline.source.payment': 'prestataire de paiement',
  'timeline.job.try_failed': 'Tentative %attempt% sur %tries% échouée : %name% (tâche %job%)',
  'timeline.job.failed': 'Échec définitif après %attempt% tentatives : %name% (tâche %job%)',
  'timeline.job.tries_not_kept':
    '%missing% autres tentatives échouées, erreurs non conservées : %name% (tâche %job%)',
  'timeline.job.completed': 'Réussi à la tentative %attempt% : %name% (tâche %job%)',
  'timeline.job.dropped': 'Non livré, car le webhook est désactivé : %name% (tâche %job%)',
  'timeline.job.next_try': 'Prochaine tentative : %name% (tâche %job%)',
  'timeline.job.due': 'En retard : %name% (tâche %job%)',
  'timeline.job.running': 'En cours : %name% (tâche %job%)',
  'timeline.date.sign_before': 'La date limite pour signer le contrat %contract% est passée',
  'timeline.date.sign_link': 'Le lien pour signer le contrat %contract% n’est plus valable',
  'timeline.date.payment_link': 'Le lien de paiement n’est plus valable',

  'job.name.create-payment-session': 'page de paiement',
  'job.name.complete-signature': 'finalisation de la signature',
  'job.name.send-mail': 'e-mail',
  'job.name.deliver-webhook': 'webhook sortant',
  'job.name.confirm-end': 'confirmation de la fin du contrat',
  'job.name.correct-signer': 'correction du signataire',
  'job.name.delivery': 'webhook sortant, livraison %delivery%',
  'mail.name.contract-signed': 'e-mail au client avec le contrat signé',
  'mail.name.admin-signed': 'e-mail « signé » à l’administrateur',
  'mail.name.payment-link': 'e-mail au client avec le lien de paiement',
  'mail.name.payment-reminder': 'e-mail de rappel de paiement au client',
  'mail.name.payment-received': 'e-mail « paiement reçu » au client',
  'mail.name.admin-paid': 'e-mail « payé » à l’administrateur',
  'mail.name.contract-ended': 'e-mail « contrat clos » à l’administrateur',
  'mail.name.replaced-signed': 'e-mail « un contrat remplacé a été signé » à l’administrateur',
  'mail.name.canceled-signed': 'e-mail « signé après l’annulation » à l’administrateur',
  'mail.name.request-canceled': 'e-mail « votre demande a été annulée » au client',
  'mail.name.signed-late': 'e-mail « signé après la date limite » à l’administrateur',
  'mail.name.foreign-signature':
    'e-mail « document étranger au contrat chez le prestataire de signature » à l’administrateur',
  'mail.name.payment-trouble': 'e-mail « problème de paiement » à l’administrateur',

  'inbox.event.signature_request.done': 'signé',
  'inbox.event.signature_request.declined': 'refusé',
  'inbox.event.signature_request.expired': 'expiré',
  'inbox.event.signature_request.canceled': 'annulé',
  'inbox.event.signature_request.rejected': 'rejeté',
  'inbox.event.signature_request.deleted': 'supprimé',
  'inbox.event.signer.error': 'erreur pendant la signature',
  'inbox.event.signer.notification_delivery_failed': 'e-mail non distribué',
  'inbox.event.checkout.session.completed': 'paiement validé',
  'inbox.event.checkout.session.expired': 'page expirée',
  'inbox.event.checkout.session.async_payment_succeeded': 'paiement réussi',
  'inbox.event.checkout.session.async_payment_failed': 'paiement échoué',
  'inbox.outcome.received': 'pas encore traité',
  'inbox.outcome.completed': 'le contrat a été finalisé',
  'inbox.outcome.repeat': 'il avait déjà été traité',
  'inbox.outcome.late': 'refusé : signé après la date limite',
  'inbox.outcome.foreign': 'non utilisé : le document du prestataire n’est pas celui de ce contrat',
  'inbox.outcome.not_signable': 'refusé : la demande n’attendait pas cette signature',
  'inbox.outcome.not_used': 'ignoré : nous ne l’utilisons pas',
  'inbox.outcome.declined': 'le contrat a été clos',
  'inbox.outcome.signer_refused': 'l’e-mail du prestataire n’est pas parvenu au client',
  'inbox.outcome.signer_error':
    'le contrat a été clos : erreur chez le prestataire pendant que le client signait',
  'inbox.outcome.not_found': 'le contrat a été clos : le prestataire ne le connaît pas',
  'inbox.outcome.not_confirmed': 'ignoré : le prestataire dit autre chose',
  'inbox.outcome.expired': 'le contrat a été clos',
  'inbox.outcome.canceled': 'le contrat a été clos, ou nous l’avions annulé nous-mêmes',
  'inbox.outcome.rejected': 'le contrat a été clos',
  'inbox.outcome.deleted': 'le contrat a été clos',
  'inbox.outcome.paid': 'la demande est payée',
  'inbox.outcome.paid_unsigned': 'payé avant qu’une signature soit connue ici',
  'inbox.outcome.old_session_paid': 'payé, mais ce paiement ne compte pas : à examiner',
  'inbox.outcome.other_price': 'payé avec un autre montant ou une autre devise : à examiner',
  'inbox.outcome.not_paid_yet': 'l’argent est encore en route',
  'inbox.outcome.payment_failed': 'le paiement a échoué',
  'inbox.outcome.session_expired': 'le lien de paiement n’est plus valable',
  'inbox.outcome.unknown_session': 'ce n’est pas une de nos sessions de paiement',
  'inbox.outcome.second_document': 'un second document pour le contrat',
  'inbox.outcome.unknown_signature': 'ce n’est pas une de nos demandes de signature',
  'inbox.rejected.missing_signature': 'il ne portait pas de signature',
  'inbox.rejected.wrong_signature': 'sa signature est incorrecte',
  'inbox.rejected.unusable_body': 'son contenu est inutilisable',
  'inbox.rejected.unknown_sign_id': 'son signId est inconnu',
  'inbox.rejected.thin_event': 'c’est un événement allégé, qui ne dit pas ce qui a été payé',
  'inbox.rejected.too_large': 'il était trop volumineux',

  check_payment_success: 'Le client a payé. La demande est terminée.',
  'check_payment_info.open': 'Le client n’a pas encore payé ; le lien de paiement fonctionne.',
  'check_payment_info.pending': 'Le client a payé, et l’argent est encore en route. La demande l’attend.',
  'check_payment_info.expired':
    'Aucune page de paiement n’est ouverte. Renouvelez le lien de paiement pour en envoyer un nouveau au client.',
  'check_payment_info.closed':
    'Aucun paiement n’est dû, mais une page de paiement de cette demande fonctionnait encore. La vérification la ferme.',
  not_waiting_payment: 'Cette demande n’attend pas de paiement.',
  no_payment_session: 'Cette demande n’a pas encore de lien de paiement. Renouvelez-le pour en créer un.',
  payment_session_not_found:
    'Le prestataire de paiement ne connaît pas ce lien de paiement. Renouvelez-le pour en envoyer un nouveau au client.',
  old_session_paid: 'Le client a payé, mais ce paiement ne compte pas : quelqu’un doit décider de la suite.',
  payment_unavailable:
    'Le prestataire de paiement n’a donné aucune réponse utilisable. Rien n’a été modifié ; réessayez dans quelques minutes. Si cela dure, « %command% » en donne la cause.',

  'reply.preparing':
    'Nous avons bien reçu votre demande « %title% » (%reference%). Nous préparons le contrat correspondant. Vous le recevrez par e-mail, avec un lien pour le signer.',
  'reply.sign':
    'Le contrat de votre demande « %title% » (%reference%) attend votre signature. Vous pouvez le signer jusqu’au %date% avec le lien reçu par e-mail. Si vous ne retrouvez pas ce lien, même dans les courriers indésirables, dites-le-nous et nous vous le renverrons.',
  'reply.sign_newest':
    'Le contrat de votre demande « %title% » (%reference%) a été remplacé par un nouveau : les liens précédents ne fonctionnent plus. Vous pouvez le signer jusqu’au %date% avec le lien de l’e-mail le plus récent. Si vous ne retrouvez pas cet e-mail, même dans les courriers indésirables, dites-le-nous et nous vous le renverrons.',
  'reply.declined':
    'Vous avez refusé le contrat de votre demande « %title% » (%reference%). Vous ne devez rien, et nous n’engagerons aucune autre démarche. Si vous ne vouliez pas le refuser, dites-le-nous et nous vous enverrons un nouveau contrat.',
  'reply.sign_over':
    'Le délai pour signer le contrat de votre demande « %title% » (%reference%) est écoulé. Il a pris fin le %date%, et le lien ne fonctionne plus. Si vous souhaitez toujours cette intervention, dites-le-nous et nous vous enverrons un nouveau contrat.',
  'reply.new_contract':
    'Le contrat de votre demande « %title% » (%reference%) ne peut plus être signé. Nous nous en occupons. Vous en recevrez un nouveau par e-mail, avec un nouveau lien pour le signer.',
  'reply.late':
    'Nous avons bien reçu votre signature pour la demande « %title% » (%reference%). Elle est arrivée après la date limite du %date%, et nous devons donc l’examiner. Vous n’avez rien à faire ; nous reviendrons vers vous.',
  'reply.checking':
    'Nous examinons votre demande « %title% » (%reference%). Pour le moment, nous ne pouvons pas dire avec certitude où elle en est. Vous n’avez rien à faire ; nous reviendrons vers vous.',
  'reply.signed':
    'Nous avons bien reçu votre signature pour la demande « %title% » (%reference%), merci. Nous terminons ce qui reste à faire de notre côté. Vous recevrez par e-mail le contrat signé et le lien de paiement.',
  'reply.replaced':
    'Vous avez signé une ancienne version du contrat de votre demande « %title% » (%reference%). Elle a été remplacée, et cette signature ne compte donc pas. Merci de signer le nouveau contrat avec le lien le plus récent reçu par e-mail.',
  'reply.pay':
    'Votre contrat pour la demande « %title% » (%reference%) est signé, merci. Il reste à régler %amount%. Vous pouvez payer à tout moment ici : %link%',
  'reply.pay_soon':
    'Votre contrat pour la demande « %title% » (%reference%) est signé, merci. Nous préparons le paiement de %amount%. Vous recevrez le lien de paiement par e-mail.',
  'reply.pay_pending':
    'Votre paiement de %amount% pour la demande « %title% » (%reference%) est en route, merci. Avec ce moyen de paiement, il met quelques jours à arriver. Vous n’avez rien à faire ; merci de ne pas payer une seconde fois.',
  'reply.pay_failed':
    'Votre paiement de %amount% pour la demande « %title% » (%reference%) n’a pas abouti. Votre banque l’a refusé. Vous pouvez réessayer ici : %link%',
  'reply.pay_check':
    'Nous avons reçu un paiement pour votre demande « %title% » (%reference%). Il ne correspond pas à ce que nous attendions, et nous devons donc l’examiner. Merci de ne pas payer à nouveau ; nous reviendrons vers vous.',
  'reply.paid':
    'Nous avons bien reçu votre paiement pour la demande « %title% » (%reference%), merci. Nous terminons ce qui reste à faire de notre côté. Vous n’avez plus rien à faire.',
  'reply.complete':
    'Votre contrat pour la demande « %title% » (%reference%) est signé et payé, merci. Tout est terminé. Vous n’avez plus rien à faire.',
  'reply.canceled':
    'Votre demande « %title% » (%reference%) a été annulée. Il n’y a plus rien à signer ni à payer. Si vous souhaitez toujours cette intervention, dites-le-nous.',
  'reply.after_cancel':
    'Votre demande « %title% » (%reference%) avait été annulée avant que votre signature ou votre paiement nous parvienne. Nous nous en occupons. Vous n’avez rien à faire ; nous reviendrons vers vous.',
  'todo.webhook_disabled':
    'Le webhook %webhook% est désactivé : son destinataire échouait sans cesse (%error%). %url%',
  'todo.unknown_signature':
    'Le prestataire de signature a un document de cette installation qui n’est pas enregistré ici : « %name% » (%sign%). %advice% Une fois que c’est fait, réglez le cas pour mettre fin à ce rappel.',
  'todo.held':
    'Les données ont été restaurées depuis la sauvegarde du %madeAt% et sont en attente de reprise : rien n’est envoyé avant leur comparaison avec les deux prestataires.',
  'todo.thin_events':
    'Les webhooks de paiement sont rejetés, car ils ne disent pas ce qui a été payé : le point de terminaison chez le prestataire de paiement est configuré pour des contenus allégés (« thin »). Passez-le aux contenus complets (« snapshot »).',
  'todo.mail_server':
    'Le serveur de messagerie refuse tous nos messages ; les clients ne reçoivent donc rien : %error%',
  'todo.run_late': 'Tâche planifiée non exécutée à l’heure prévue : %run%.',
  'todo.run_failing': 'Échec de la tâche planifiée « %run% » : %error%',
  'explain.mend': 'Une vérification met la demande à jour.',
  'explain.mend.soon':
    'La vérification groupée mettra la demande à jour, le %date% ; une vérification le fait tout de suite.',
  'explain.done.signature': 'signé',
  'explain.done.payment': 'payé',
  'explain.again.start': 'lancez la signature : un nouveau contrat sera envoyé.',
  'explain.again.reset': 'une réinitialisation envoie un nouveau contrat.',
  'price.least': 'Le prestataire de paiement n’accepte pas moins de %amount%.',
  'price.step': 'Le prestataire de paiement n’accepte que des multiples de %amount%.',
  'timeline.asked.known': 'Réponse actuelle du %source% : %status%',
  'timeline.asked.gone': 'Le %source% répond qu’il ne connaît pas ce dossier',
  'asked.signature.draft': 'un brouillon, jamais envoyé',
  'asked.signature.approval': 'en attente d’approbation',
  'asked.signature.ongoing': 'pas encore signé',
  'asked.signature.done': 'signé',
  'asked.signature.declined': 'refusé par le client',
  'asked.signature.rejected': 'rejeté lors de l’approbation',
  'asked.signature.canceled': 'annulé',
  'asked.signature.expired': 'expiré',
  'asked.signature.deleted': 'supprimé',
  'asked.check_payment_success': 'payé',
  'asked.check_payment_info.open': 'pas encore payé',
  'asked.check_payment_info.pending': 'payé, l’argent est encore en route',
  'asked.check_payment_info.expired': 'la page de paiement a expiré',
  'timeline.asked.silent': 'Le %source% n’a donné aucune réponse utilisable',
} as const;
