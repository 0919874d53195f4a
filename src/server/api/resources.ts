/** The resources as the documents about the API name them. */
export interface Resource {
  type: string;
  /** Of its collection. */
  path: string;
  fields: readonly string[];
  /** Members that hold the IRI of another resource. */
  relations: readonly string[];
}

export const RESOURCES: readonly Resource[] = [
  {
    type: 'Request',
    path: '/api/requests',
    fields: [
      'id',
      'reference',
      'title',
      'description',
      'status',
      'createdAt',
      'updatedAt',
      'paymentUrl',
      'paymentId',
    ],
    relations: ['equipment', 'contract'],
  },
  {
    type: 'Contract',
    path: '/api/contracts',
    fields: ['id', 'status', 'signId', 'signUrl', 'amount', 'currency', 'createdAt', 'expiredAt', 'signedAt'],
    relations: ['request'],
  },
  {
    type: 'Equipment',
    path: '/api/equipments',
    fields: ['id', 'name', 'model', 'serialNumber'],
    relations: [],
  },
];
