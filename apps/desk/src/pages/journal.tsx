export const Journal = () => <p className="empty">Journal</p>;
