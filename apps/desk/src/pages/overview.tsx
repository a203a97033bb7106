export const Overview = () => <p className="empty">Overview</p>;
