// Conversations
