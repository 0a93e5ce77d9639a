export const HOME: string;
